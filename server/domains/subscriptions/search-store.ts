// Searches of subscriptions. Each source walks one index: of an account, an organization, a customer, or of the few past due.
import { and, eq, exists, getTableColumns, inArray, isNull, not, type SQL, sql } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { withinBudget } from "@/db/prepared";
import { payments, subscriptionCycles, subscriptions } from "@/db/tables";
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

/** The sources of a search: one of the customer, of the few that match, of the organization, or of each account. */
export async function subscriptionSources(q: Reader, search: Search): Promise<Source<SubscriptionRow>[]> {
  const { accounts, filters, organizationId } = search;
  if (accounts?.length === 0) return [];
  if (filters.customer_id !== undefined) return [source(q, search, eq(subscriptions.customerId, filters.customer_id))];
  if (filters.missed && (await haveFewMissed(q, organizationId))) return [source(q, search, isAnyMissed(q, search))];
  // So few in an organization that those of its accounts need no index.
  if (filters.status?.join() === "past_due") {
    return [source(q, search, and(eq(subscriptions.organizationId, organizationId), isPastDue))];
  }
  return accounts !== null && accounts.length <= limits.look.accounts
    ? accounts.map((id) => source(q, { ...search, accounts: null }, eq(subscriptions.accountId, id)))
    : [source(q, search, eq(subscriptions.organizationId, organizationId))];
}

/** The conditions of partial indices: literals, as in them. */
const isPastDue = sql`status = 'past_due'`;
const isCycleMissed = sql`is_missed and paid_at is null`;

const missedOf = (q: Reader, organizationId: string) =>
  q
    .select({ id: subscriptionCycles.subscriptionId })
    .from(subscriptionCycles)
    .where(and(eq(subscriptionCycles.organizationId, organizationId), isCycleMissed));

/** Whether it is worth reading all missed cycles of the organization: their index is not in the list's order. */
async function haveFewMissed(q: Reader, organizationId: string): Promise<boolean> {
  const found = await missedOf(q, organizationId).limit(limits.look.few + 1);
  return found.length <= limits.look.few;
}

const isAnyMissed = (q: Reader, { organizationId }: Search): SQL =>
  inArray(subscriptions.id, missedOf(q, organizationId));

/** The condition that the payment request of a missed cycle is neither paid nor canceled. */
const hasMissed = (q: Reader): SQL =>
  exists(
    q
      .select({ one: sql`1` })
      .from(subscriptionCycles)
      .innerJoin(payments, eq(payments.id, subscriptionCycles.paymentId))
      .where(
        and(
          eq(subscriptionCycles.subscriptionId, subscriptions.id),
          and(subscriptionCycles.isMissed, isNull(subscriptionCycles.paidAt), isNull(payments.canceledAt)),
        ),
      ),
  );

/** The conditions on the candidates. */
const matching = (q: Reader, { organizationId, accounts, filters: { status, missed } }: Search): SQL | undefined =>
  and(
    eq(unindexed(subscriptions.organizationId), organizationId),
    accounts === null ? undefined : inArray(unindexed(subscriptions.accountId), [...accounts]),
    status === undefined ? undefined : inArray(subscriptions.status, status),
    missed === undefined ? undefined : missed ? hasMissed(q) : not(hasMissed(q)),
  );

function source(q: Reader, search: Search, candidates: SQL | undefined): Source<SubscriptionRow> {
  const { createdAt, id } = subscriptions;
  const within = ({ after: position, until }: Stretch) =>
    and(candidates, after(subscriptions, position), downTo(subscriptions, until), matching(q, search));
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
    matchesAll: search.accounts === null && search.filters.status === undefined && search.filters.missed === undefined,
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
