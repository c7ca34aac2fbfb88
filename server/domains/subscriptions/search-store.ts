// Searches of subscriptions. Each source walks one index: of an account, an organization, a customer, of the few past due,
// or of the few with a rare word.
import { and, eq, exists, getTableColumns, inArray, isNull, not, or, type SQL, sql } from "drizzle-orm";
import { changesOf, type Span } from "@/db/changes";
import type { Reader } from "@/db/client";
import { hasEntries } from "@/db/json";
import { beginsWith } from "@/db/prefix";
import { withinBudget } from "@/db/prepared";
import { sampleOf } from "@/db/sample";
import { customerWords, payments, paymentWords, subscriptionCycles, subscriptions } from "@/db/tables";
import { unindexed } from "@/db/unindexed";
import { isId } from "@/server/kit/ids";
import { limits } from "@/server/kit/limits";
import type { Source, Stretch } from "@/server/kit/look-through";
import { after, downTo, newestFirst } from "@/server/kit/page";
import { wordsOf } from "@/server/kit/words";
import { areFew, subscriptionsHaving } from "./rare-words-store";
import type { SubscriptionFilters } from "./schema";
import type { SubscriptionRow } from "./store";

interface Search {
  organizationId: string;
  /** Only subscriptions of these accounts; null for the whole organization. */
  accounts: readonly string[] | null;
  filters: SubscriptionFilters;
  /** Only subscriptions with these ids. */
  ids?: readonly string[];
}

/** A search, with its text parsed. */
interface Criteria extends Search {
  id: string | undefined;
  words: readonly string[];
}

function criteriaOf(search: Search): Criteria {
  const text = search.filters.q?.trim() ?? "";
  const id = isId("sub", text) ? text : undefined;
  return { ...search, id, words: id === undefined ? wordsOf(text) : [] };
}

/** The sources of a search: one of the customer, of the few that match, of the organization, or of each account. */
export async function subscriptionSources(q: Reader, given: Search): Promise<Source<SubscriptionRow>[]> {
  const search = criteriaOf(given);
  const { accounts, filters, organizationId, id, ids, words } = search;
  if (accounts?.length === 0) return [];
  if (ids) {
    const ofCustomer =
      filters.customer_id === undefined ? undefined : eq(subscriptions.customerId, filters.customer_id);
    return [source(q, search, and(inArray(subscriptions.id, [...ids]), ofCustomer))];
  }
  if (id !== undefined) return [source(q, search, eq(subscriptions.id, id))];
  if (filters.customer_id !== undefined) return [source(q, search, eq(subscriptions.customerId, filters.customer_id))];
  for (const word of words) {
    if (await areFew(q, organizationId, word)) {
      const few = subscriptionsHaving(q, organizationId, word, 2 * limits.look.few);
      return [source(q, search, inArray(subscriptions.id, few))];
    }
  }
  if (filters.missed && (await haveFewMissed(q, organizationId))) return [source(q, search, isAnyMissed(q, search))];
  // So few in an organization that those of its accounts need no index.
  if (filters.status?.join() === "past_due") {
    return [source(q, search, and(eq(subscriptions.organizationId, organizationId), isPastDue))];
  }
  if (filters.pause_reason !== undefined) {
    return [source(q, search, and(eq(subscriptions.organizationId, organizationId), isWaiting))];
  }
  return accounts !== null && accounts.length <= limits.look.accounts
    ? accounts.map((account) => scopeSource(q, { ...search, accounts: null }, eq(subscriptions.accountId, account)))
    : [scopeSource(q, search, eq(subscriptions.organizationId, organizationId))];
}

/** All subscriptions of an account or an organization. */
const scopeSource = (q: Reader, search: Criteria, scope: SQL): Source<SubscriptionRow> => ({
  ...source(q, search, scope),
  sample: sampleOf(q, subscriptions, { scope, matching: matching(q, search) }),
});

/** The conditions of partial indices: literals, as in them. */
const isPastDue = sql`status = 'past_due'`;
const isWaiting = sql`pause_reason is not null`;
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

/** The condition that what it is for, the payer or the customer as it is now has the word. */
const hasWord = (q: Reader, word: string): SQL | undefined =>
  or(
    exists(
      q
        .select({ one: sql`1` })
        .from(paymentWords)
        .where(and(eq(paymentWords.paymentId, subscriptions.firstPaymentId), beginsWith(paymentWords.word, word))),
    ),
    exists(
      q
        .select({ one: sql`1` })
        .from(customerWords)
        .where(and(eq(customerWords.customerId, subscriptions.customerId), beginsWith(customerWords.word, word))),
    ),
  );

/** The conditions on the candidates. */
const matching = (q: Reader, { organizationId, accounts, filters, words }: Criteria): SQL | undefined =>
  and(
    eq(unindexed(subscriptions.organizationId), organizationId),
    accounts === null ? undefined : inArray(unindexed(subscriptions.accountId), [...accounts]),
    filters.status === undefined ? undefined : inArray(subscriptions.status, filters.status),
    filters.pause_reason === undefined ? undefined : inArray(subscriptions.pauseReason, filters.pause_reason),
    hasEntries(subscriptions.metadata, filters.metadata),
    filters.missed === undefined ? undefined : filters.missed ? hasMissed(q) : not(hasMissed(q)),
    ...words.map((word) => hasWord(q, word)),
  );

const isFiltered = ({ filters: { status, pause_reason, missed, metadata }, words }: Criteria): boolean =>
  status !== undefined ||
  pause_reason !== undefined ||
  metadata !== undefined ||
  missed !== undefined ||
  words.length > 0;

function source(q: Reader, search: Criteria, candidates: SQL | undefined): Source<SubscriptionRow> {
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
    matchesAll: search.accounts === null && !isFiltered(search),
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

/** The organization's subscriptions by their last change. */
export const changedSubscriptions = (q: Reader, span: Span) => changesOf(q, subscriptions, span);
