// What a list or an export of transactions looks through: what the caller sees, by the filters it gives.
import type { Reader } from "@/db/client";
import { accountsInSight, visibleAccount } from "@/server/domains/accounts/authorized-account";
import type { ReadContext } from "@/server/kit/context";
import type { Source } from "@/server/kit/look-through";
import type { Fail } from "@/server/kit/operation";
import { type Criteria, criteriaOf, pathsOf, type Search } from "./criteria";
import { fromAnywhere, type Perspective, type TransactionRow } from "./present";
import type { TransactionFilters } from "./schema";
import { areFew, type Few, sourceAmong, sourceOf } from "./search-store";

/** The search, and from where its caller looks at what it finds. */
export async function searchOf(
  ctx: ReadContext,
  filters: TransactionFilters,
  fail: Fail<"account_not_found">,
): Promise<{ search: Search; perspective: Perspective }> {
  if (filters.account_id !== undefined) await visibleAccount(ctx, filters.account_id, fail);
  const accounts = await accountsInSight(ctx, filters.account_id);
  const own = new Set(accounts);
  return {
    search: { organizationId: ctx.scope.organizationId, accounts, filters, now: ctx.now },
    perspective: accounts === null ? fromAnywhere : (accountId) => own.has(accountId),
  };
}

/** Where the search finds its transactions: among the few that share what few do, else along the paths of its criteria. */
export async function sourcesOf(q: Reader, search: Search): Promise<Source<TransactionRow>[]> {
  const criteria = criteriaOf(search);
  const paths = pathsOf(criteria);
  for (const few of paths.some(({ by }) => by.id) ? [] : perhapsFew(criteria)) {
    if (await areFew(q, criteria.organizationId, few)) return [sourceAmong(q, criteria, few)];
  }
  return paths.map((path) => sourceOf(q, path));
}

/** Words are in no order of time, and within accounts the organization's values are not: worth asking how many there are. */
function perhapsFew(criteria: Criteria): Few[] {
  const { accounts, words, tags, customerEmailKey, customerReference, reference } = criteria;
  if (accounts?.length === 0) return [];
  const found: Few[] = words.map((word) => ({ word }));
  if (accounts === null) return found;
  if (reference !== undefined) found.push({ reference });
  if (customerReference !== undefined) found.push({ customerReference });
  if (customerEmailKey !== undefined) found.push({ customerEmailKey });
  return [...found, ...tags.map((tag) => ({ tag }))];
}
