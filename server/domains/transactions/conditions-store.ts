// The SQL conditions of a search: which candidates a path reads from its index, and what they must match.
import {
  and,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  not,
  notInArray,
  or,
  type Placeholder,
  type SQL,
  sql,
} from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Reader } from "@/db/client";
import { isInRange } from "@/db/prefix";
import type { Slots } from "@/db/shapes";
import { transactions, transactionTags, transactionWords } from "@/db/tables";
import { unindexed } from "@/db/unindexed";
import { type Criteria, leadNames, type Path, type Tag } from "./criteria";
import { paymentRequests } from "./payment-requests";
import type { TextAmount } from "./search-text";

type PathSlots = Slots<Path>;

/** The tags table, for a path that walks its index. */
export const leading = alias(transactionTags, "leading");

/** The columns that order a path's candidates. */
export const keysetOf = ({ by }: PathSlots) =>
  by.tag ? { createdAt: leading.createdAt, id: leading.transactionId } : transactions;

/** The condition for a path's candidates: adjacent entries of one index, in the list's order. */
export function candidatesOf(path: PathSlots): SQL | undefined {
  const { by, account, isInto, status, organizationId } = path;
  const [tag] = path.tags;
  if (by.tag && tag) return isTag(leading, organizationId, tag);
  const created = [
    path.createdFrom && gte(transactions.createdAt, path.createdFrom),
    path.createdTo && lt(transactions.createdAt, path.createdTo),
  ];
  if (account !== undefined) {
    return and(eq(isInto ? transactions.destinationAccountId : transactions.accountId, account), ...created);
  }
  return and(
    eq(by.id ? unindexed(transactions.organizationId) : sql`${transactions.organizationId}`, organizationId),
    status && eq(transactions.status, status),
    // Literals, as in the index.
    by.dispute ? sql`dispute_status in ('open', 'lost')` : undefined,
    by.amount && path.amount ? eq(transactions.amount, path.amount.amount) : undefined,
    ...leadNames.filter((name) => by[name]).map((name) => path[name] && eq(columns[name], path[name])),
    ...created,
  );
}

export const columns = {
  paymentId: transactions.paymentId,
  searchedPaymentId: transactions.paymentId,
  parentTransactionId: transactions.parentTransactionId,
  reference: transactions.reference,
  customerReference: transactions.customerReference,
  customerEmailKey: transactions.customerEmailKey,
  cardLast4: transactions.cardLast4,
} as const;

/** The condition that a row of the tags table has the organization and the tag. */
export const isTag = (
  table: typeof transactionTags | typeof leading,
  organizationId: Placeholder,
  tag: Slots<Tag>,
): SQL | undefined =>
  and(
    eq(table.organizationId, organizationId),
    eq(table.scope, tag.scope),
    eq(table.key, tag.key),
    eq(table.value, tag.value),
  );

const hasTag = (q: Reader, tag: Slots<Tag>): SQL =>
  exists(
    q
      .select({ one: sql`1` })
      .from(transactionTags)
      .where(
        and(
          eq(transactionTags.transactionId, transactions.id),
          eq(transactionTags.scope, tag.scope),
          eq(transactionTags.key, tag.key),
          eq(unindexed(transactionTags.value), tag.value),
        ),
      ),
  );

/** Checked for each candidate: the organization may have very many words with this prefix. */
const hasWord = (q: Reader, word: Slots<Criteria>["words"][number]): SQL =>
  exists(
    q
      .select({ one: sql`1` })
      .from(transactionWords)
      .where(and(eq(transactionWords.transactionId, transactions.id), isInRange(transactionWords.word, word))),
  );

/** Has one of the statuses at `now`: see `statusAt` in present.ts. */
function hasStatus({ stored, isLive, isLapsed, now }: Slots<NonNullable<Criteria["statuses"]>>): SQL | undefined {
  const { captureBefore } = transactions;
  const status = unindexed(transactions.status);
  const isAuthorized = eq(status, "authorized");
  return or(
    stored.length > 0 ? inArray(status, [...stored]) : undefined,
    isLive ? and(isAuthorized, or(isNull(captureBefore), gt(captureBefore, now))) : undefined,
    isLapsed ? and(isAuthorized, lte(captureBefore, now)) : undefined,
  );
}

/** Visible to a caller who sees only these accounts. A transfer between two of them counts for its source. */
function isVisible({ accounts, account, isInto }: PathSlots): SQL | undefined {
  if (accounts === null || (account !== undefined && !isInto)) return undefined;
  const accountId = unindexed(transactions.accountId);
  const ids = [...accounts];
  return isInto
    ? notInArray(accountId, ids)
    : or(inArray(accountId, ids), inArray(unindexed(transactions.destinationAccountId), ids));
}

/**
 * Belongs to the customer, or counts towards a payment request of the customer. Checked for each candidate, of which the
 * customer may have many.
 */
const isOfCustomer = (q: Reader, customerId: Placeholder): SQL | undefined =>
  or(
    eq(unindexed(transactions.customerId), customerId),
    exists(paymentRequests().idsOfCustomer(q, customerId, sql`${transactions.paymentId}`)),
  );

/** Has the amount in one of its currencies. */
const isAmount = ({ amount, currencies }: Slots<TextAmount>): SQL =>
  sql`(${and(eq(unindexed(transactions.amount), amount), inArray(unindexed(transactions.currency), [...currencies]))})`;

/** Whether a provider has owed an answer for too long, so that the outcome is unknown. */
function isUnanswered({ unchangedSince, askedBefore }: Slots<NonNullable<Criteria["unanswered"]>>): SQL {
  const { provider, providerReference, captureRequested, updatedAt, createdAt } = transactions;
  const status = unindexed(transactions.status);
  const call = and(inArray(status, ["pending", "processing"]), isNotNull(provider), isNull(providerReference));
  const capture = and(eq(status, "authorized"), isNotNull(captureRequested));
  const confirmation = and(eq(status, "requires_action"), lt(createdAt, askedBefore));
  return sql`(${or(and(or(call, capture), lt(updatedAt, unchangedSince)), confirmation)})`;
}

/** All other conditions on a path's candidates. */
export function matching(q: Reader, path: PathSlots): SQL | undefined {
  const t = transactions;
  const { by, ids, id, statuses, types, words, tags } = path;
  const given = (value: Placeholder | undefined, condition: (value: Placeholder) => SQL | undefined): SQL | undefined =>
    value && condition(value);
  return and(
    isVisible(path),
    ids && inArray(t.id, [...ids]),
    given(id, (one) => eq(t.id, one)),
    statuses && hasStatus(statuses),
    types && inArray(t.type, [...types]),
    given(path.createdFrom, (at) => gte(t.createdAt, at)),
    given(path.createdTo, (at) => lt(t.createdAt, at)),
    given(path.settledFrom, (at) => gte(t.settledAt, at)),
    given(path.settledTo, (at) => lt(t.settledAt, at)),
    ...leadNames
      .filter((name) => !by[name])
      .map((name) => given(path[name], (value) => eq(unindexed(columns[name]), value))),
    given(path.customerId, (customer) => isOfCustomer(q, customer)),
    path.unanswered && (path.unanswered.isWanted ? isUnanswered(path.unanswered) : not(isUnanswered(path.unanswered))),
    path.usesCredit === undefined ? undefined : eq(t.usesCredit, path.usesCredit),
    path.isDisputed === undefined ? undefined : path.isDisputed ? gt(t.amountDisputed, 0) : eq(t.amountDisputed, 0),
    given(path.currency, (currency) => eq(t.currency, currency)),
    given(path.amountMin, (amount) => gte(unindexed(t.amount), amount)),
    given(path.amountMax, (amount) => lte(unindexed(t.amount), amount)),
    path.amount && isAmount(path.amount),
    ...path.otherAmounts.map((amount) => not(isAmount(amount))),
    ...words.map((word) => hasWord(q, word)),
    ...(by.tag ? tags.slice(1) : tags).map((tag) => hasTag(q, tag)),
  );
}
