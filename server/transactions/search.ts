// What a list or an export of transactions looks through: what the caller sees, by the filters it gives.
import { visibleAccount } from "@/server/accounts/find";
import type { ReadContext } from "@/server/kit/context";
import type { Fail } from "@/server/kit/operation";
import type { Search } from "./criteria";
import { fromAnywhere, type Perspective } from "./present";
import type { TransactionFilters } from "./schema";
import { searchedAccounts } from "./search-store";

/** The search, and from where its caller looks at what it finds. */
export async function searchOf(
  ctx: ReadContext,
  filters: TransactionFilters,
  fail: Fail<"account_not_found">,
): Promise<{ search: Search; perspective: Perspective }> {
  if (filters.account_id !== undefined) await visibleAccount(ctx, filters.account_id, fail);
  const accounts = await searchedAccounts(ctx.db, ctx.scope, filters.account_id);
  return {
    search: { organizationId: ctx.scope.organizationId, accounts, filters, now: ctx.now },
    perspective: accounts === null ? fromAnywhere : (accountId) => accounts.includes(accountId),
  };
}
