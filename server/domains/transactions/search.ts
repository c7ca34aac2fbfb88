// The search behind the list and the export: limited to what the caller sees, with the given filters.
import type { Reader } from "@/db/client";
import { settlesWithinMs } from "@/db/schema/values";
import { searchedAccounts, visibleAccount } from "@/server/domains/accounts/authorized-account";
import { withSurvivor } from "@/server/domains/customers/survivor";
import type { ReadContext } from "@/server/kit/context";
import type { Source } from "@/server/kit/look-through";
import type { Fail } from "@/server/kit/operation";
import { type Criteria, criteriaOf, pathsOf, readingsOf, type Search } from "./criteria";
import { fromAnywhere, type Perspective, type ShownRow } from "./present";
import type { TransactionFilters } from "./schema";
import { areFew, type Few, oldestLate, type PathSource, sourceAmong, sourceOf } from "./search-store";

/** The search, and the perspective from which its results are presented to the caller. */
export async function searchOf(
  ctx: ReadContext,
  given: TransactionFilters,
  fail: Fail<"account_not_found" | "customer_not_found">,
): Promise<{ search: Search; perspective: Perspective }> {
  const filters = await withSurvivor(ctx, given, fail);
  if (filters.account_id !== undefined) await visibleAccount(ctx, filters.account_id, fail);
  const accounts = await searchedAccounts(ctx, filters.account_id);
  const own = new Set(accounts);
  return {
    search: { organizationId: ctx.scope.organizationId, accounts, filters, now: ctx.now },
    perspective: accounts === null ? fromAnywhere : (accountId) => own.has(accountId),
  };
}

/** The sources of a search: those of its text as words, and as each amount that it can be. */
export async function sourcesOf(q: Reader, search: Search): Promise<Source<ShownRow>[]> {
  const sources: Source<ShownRow>[] = [];
  for (const criteria of readingsOf(search)) sources.push(...(await sourcesWith(q, criteria)));
  return sources;
}

/** The few transactions that share a rare word or value, else the paths of the criteria. */
async function sourcesWith(q: Reader, given: Criteria): Promise<Source<ShownRow>[]> {
  const criteria = await withinReach(q, given);
  const paths = pathsOf(criteria);
  for (const few of paths.some(({ by }) => by.id) ? [] : possiblyRare(criteria)) {
    if (await areFew(q, criteria.organizationId, few)) return [sourceAmong(q, criteria, few)];
  }
  return paths.map((path) => sourceOf(q, path));
}

/** The criteria, with the instant before which nothing was created that settled from `settledFrom` on. */
async function withinReach(q: Reader, criteria: Criteria): Promise<Criteria> {
  const { organizationId, settledFrom, settledTo, createdFrom = 0 } = criteria;
  if (settledFrom === undefined) return criteria;
  const late = await oldestLate(q, { organizationId, settledFrom, settledTo });
  const oldest = Math.min(settledFrom - settlesWithinMs, late ?? settledFrom);
  return { ...criteria, createdFrom: Math.max(createdFrom, oldest) };
}

/**
 * Like {@link sourcesOf}, for a search without text and values: its matches can be added up. None of its statuses may
 * change with time, so a path along a status need not check it.
 */
export const totalSourcesOf = (q: Reader, search: Search): PathSource[] =>
  pathsOf(criteriaOf(search)).map((path) =>
    sourceOf(q, path.status === undefined ? path : { ...path, statuses: undefined }),
  );

/** Words and values whose index is not in the list's order, so it is worth counting first whether they are rare. */
function possiblyRare(criteria: Criteria): Few[] {
  const { accounts, words, tags, customerId, customerEmailKey, customerReference, reference, cardLast4 } = criteria;
  if (accounts?.length === 0) return [];
  const found: Few[] = words.map((word) => ({ word }));
  if (customerId !== undefined) found.push({ customerId });
  if (accounts === null) return found;
  if (reference !== undefined) found.push({ reference });
  if (cardLast4 !== undefined) found.push({ cardLast4 });
  if (customerReference !== undefined) found.push({ customerReference });
  if (customerEmailKey !== undefined) found.push({ customerEmailKey });
  return [...found, ...tags.map((tag) => ({ tag }))];
}
