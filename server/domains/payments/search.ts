// The search behind the list and the export: limited to what the caller sees, with the given filters.
import { searchedAccounts, visibleAccount } from "@/server/domains/accounts/authorized-account";
import { withSurvivor } from "@/server/domains/customers/survivor";
import { inTurn } from "@/server/fairness/turns";
import type { ReadContext } from "@/server/kit/context";
import type { Source } from "@/server/kit/look-through";
import type { Fail } from "@/server/kit/operation";
import type { PaymentFilters } from "./filters";
import type { Search } from "./search-paths";
import { sourcesOf } from "./search-store";
import type { PaymentRow } from "./store";

type Refuse = Fail<"account_not_found" | "customer_not_found">;

/** The sources of a search for the caller. */
export async function sourcesFor(ctx: ReadContext, given: PaymentFilters, fail: Refuse): Promise<Source<PaymentRow>[]> {
  const search = await searchFor(ctx, given, fail);
  return inTurn(ctx.request, () => sourcesOf(ctx.db, search));
}

/** A search limited to what the caller sees. */
export async function searchFor(ctx: ReadContext, given: PaymentFilters, fail: Refuse): Promise<Search> {
  if (given.account_id !== undefined) await visibleAccount(ctx, given.account_id, fail);
  const filters = await withSurvivor(ctx, given, fail);
  const accounts = await searchedAccounts(ctx, given.account_id);
  return { organizationId: ctx.scope.organizationId, accounts, filters, now: ctx.now };
}
