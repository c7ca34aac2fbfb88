// Searches of subscriptions. Each source walks one index: of an account, of an organization, or of a customer.
import { and, eq, getTableColumns, inArray, type SQL } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { withinBudget } from "@/db/prepared";
import { subscriptions } from "@/db/tables";
import { unindexed } from "@/db/unindexed";
import { limits } from "@/server/kit/limits";
import type { Source, Stretch } from "@/server/kit/look-through";
import { after, downTo, newestFirst } from "@/server/kit/page";
import type { SubscriptionFilters } from "./schema";
import type { SubscriptionRow } from "./store";

interface Search {
  organizationId: string;
  /** Only subscriptions of these accounts; null for the whole organization. */
  accounts: readonly string[] | null;
  filters: SubscriptionFilters;
}

/** The sources of a search: one of the customer, of the organization, or of each account. */
export function subscriptionSources(q: Reader, search: Search): Source<SubscriptionRow>[] {
  const { accounts, filters, organizationId } = search;
  if (accounts?.length === 0) return [];
  if (filters.customer_id !== undefined) return [source(q, search, eq(subscriptions.customerId, filters.customer_id))];
  return accounts !== null && accounts.length <= limits.look.accounts
    ? accounts.map((id) => source(q, { ...search, accounts: null }, eq(subscriptions.accountId, id)))
    : [source(q, search, eq(subscriptions.organizationId, organizationId))];
}

/** The conditions on the candidates. */
const matching = ({ organizationId, accounts, filters: { status } }: Search): SQL | undefined =>
  and(
    eq(unindexed(subscriptions.organizationId), organizationId),
    accounts === null ? undefined : inArray(unindexed(subscriptions.accountId), [...accounts]),
    status === undefined ? undefined : inArray(subscriptions.status, status),
  );

function source(q: Reader, search: Search, candidates: SQL | undefined): Source<SubscriptionRow> {
  const { createdAt, id } = subscriptions;
  const within = ({ after: position, until }: Stretch) =>
    and(candidates, after(subscriptions, position), downTo(subscriptions, until), matching(search));
  return {
    rows: (stretch, limit, budget) =>
      withinBudget<SubscriptionRow[]>(
        q
          .select(getTableColumns(subscriptions))
          .from(subscriptions)
          .where(within(stretch))
          .orderBy(...newestFirst(subscriptions))
          .limit(limit),
        budget,
      ),
    count: (stretch) => q.$count(subscriptions, within(stretch)),
    matchesAll: search.accounts === null && search.filters.status === undefined,
    async edge(position, size) {
      const [row] = await q
        .select({ createdAt, id })
        .from(subscriptions)
        .where(and(candidates, after(subscriptions, position)))
        .orderBy(...newestFirst(subscriptions))
        .limit(1)
        .offset(size - 1);
      return row ?? null;
    },
  };
}
