// The queries of the list of transactions: every filter an index can serve is one.
import {
  and,
  count,
  eq,
  exists,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  lte,
  notInArray,
  or,
  type Placeholder,
  type SQL,
  sql,
} from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Reader } from "@/db/client";
import { isInRange } from "@/db/prefix";
import { preparedByShape, type Slots } from "@/db/shapes";
import { accounts, transactions, transactionTags, transactionWords } from "@/db/tables";
import type { Scope } from "@/server/kit/context";
import { after, newestFirst, type Position } from "@/server/kit/page";
import { type Criteria, partsOf, type Search, type Tag } from "./criteria";
import type { TransactionRow } from "./present";

/** The accounts whose transactions are asked for, the asked one being in sight; null for the whole organization. */
export async function searchedAccounts(
  q: Reader,
  { organizationId, ownerUserId, accountId }: Scope,
  asked: string | undefined,
): Promise<readonly string[] | null> {
  if (asked !== undefined) return [asked];
  if (accountId !== null) return [accountId];
  return ownerUserId === null ? null : ownedBy(q, organizationId, ownerUserId);
}

async function ownedBy(q: Reader, organizationId: string, userId: string): Promise<string[]> {
  const rows = await q
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.ownerUserId, userId), eq(accounts.organizationId, organizationId)));
  return rows.map((row) => row.id);
}

interface Page extends Criteria {
  after: Position | null;
  limit: number;
}

/** One page of the transactions that meet the criteria, newest first. */
const page = preparedByShape<Page, TransactionRow[]>(
  (q: Reader, { after: position, limit, ...criteria }: Slots<Page>) => {
    const [first, ...rest] = criteria.tags;
    if (!first) {
      return q
        .select()
        .from(transactions)
        .where(and(matching(q, criteria), after(transactions, position)))
        .orderBy(...newestFirst(transactions))
        .limit(limit);
    }
    // The index of tags alone gives the page: rows are found and ordered by the first tag.
    const keyset = { createdAt: leading.createdAt, id: leading.transactionId };
    const conditions = matching(q, { ...criteria, tags: rest });
    return q
      .select(getTableColumns(transactions))
      .from(leading)
      .innerJoin(transactions, eq(transactions.id, leading.transactionId))
      .where(and(isTag(leading, criteria, first), conditions, after(keyset, position)))
      .orderBy(...newestFirst(keyset))
      .limit(limit);
  },
);

const leading = alias(transactionTags, "leading");

/** One page, newest first: a page of each part of what is in sight, merged. */
export async function searchTransactions(
  q: Reader,
  search: Search,
  position: Position | null,
  limit: number,
): Promise<TransactionRow[]> {
  const pages = await Promise.all(partsOf(search).map((part) => page(q, { ...part, after: position, limit })));
  return pages.length === 1 ? (pages[0] ?? []) : pages.flat().sort(newerFirst).slice(0, limit);
}

const total = preparedByShape<Criteria, { total: number }[]>((q: Reader, criteria: Slots<Criteria>) =>
  q.select({ total: count() }).from(transactions).where(matching(q, criteria)),
);

export async function countTransactions(q: Reader, search: Search): Promise<number> {
  const totals = await Promise.all(partsOf(search).map((part) => total(q, part)));
  return totals.flat().reduce((sum, row) => sum + row.total, 0);
}

const newerFirst = (a: TransactionRow, b: TransactionRow): number =>
  b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);

function isInSight({ organizationId, accounts: own, isInto }: Slots<Criteria>): SQL | undefined {
  const { accountId, destinationAccountId } = transactions;
  if (own === null) return eq(transactions.organizationId, organizationId);
  const ids = [...own];
  return isInto ? and(inArray(destinationAccountId, ids), notInArray(accountId, ids)) : inArray(accountId, ids);
}

const isTag = (
  table: typeof transactionTags | typeof leading,
  { organizationId }: Slots<Criteria>,
  tag: Slots<Tag>,
): SQL | undefined =>
  and(
    eq(table.organizationId, organizationId),
    eq(table.scope, tag.scope),
    eq(table.key, tag.key),
    eq(table.value, tag.value),
  );

const hasTag = (q: Reader, criteria: Slots<Criteria>, tag: Slots<Tag>): SQL =>
  exists(
    q
      .select({ one: sql`1` })
      .from(transactionTags)
      .where(and(eq(transactionTags.transactionId, transactions.id), isTag(transactionTags, criteria, tag))),
  );

/** One of the statuses, as the time has made them: see `statusAt` in present.ts. */
function hasStatus({ stored, isLive, isLapsed, now }: Slots<NonNullable<Criteria["statuses"]>>): SQL | undefined {
  const { status, captureBefore } = transactions;
  const isAuthorized = eq(status, "authorized");
  return or(
    stored.length > 0 ? inArray(status, [...stored]) : undefined,
    isLive ? and(isAuthorized, or(isNull(captureBefore), gt(captureBefore, now))) : undefined,
    isLapsed ? and(isAuthorized, lte(captureBefore, now)) : undefined,
  );
}

function matching(q: Reader, criteria: Slots<Criteria>): SQL | undefined {
  const t = transactions;
  const { ids, statuses, types, words, tags } = criteria;
  const given = (value: Placeholder | undefined, condition: (value: Placeholder) => SQL): SQL | undefined =>
    value && condition(value);
  return and(
    isInSight(criteria),
    ids && inArray(t.id, [...ids]),
    statuses && hasStatus(statuses),
    types && inArray(t.type, [...types]),
    given(criteria.id, (id) => eq(t.id, id)),
    given(criteria.createdFrom, (at) => gte(t.createdAt, at)),
    given(criteria.createdTo, (at) => lt(t.createdAt, at)),
    given(criteria.customerEmailKey, (key) => eq(t.customerEmailKey, key)),
    given(criteria.customerReference, (reference) => eq(t.customerReference, reference)),
    given(criteria.paymentId, (id) => eq(t.paymentId, id)),
    given(criteria.requestId, (id) => eq(t.paymentId, id)),
    given(criteria.parentTransactionId, (id) => eq(t.parentTransactionId, id)),
    given(criteria.currency, (currency) => eq(t.currency, currency)),
    given(criteria.amountMin, (amount) => gte(t.amount, amount)),
    given(criteria.amountMax, (amount) => lte(t.amount, amount)),
    given(criteria.reference, (reference) => eq(t.reference, reference)),
    ...words.map((word) => inArray(t.id, withWord(q, criteria, word))),
    ...tags.map((tag) => hasTag(q, criteria, tag)),
  );
}

const withWord = (q: Reader, { organizationId }: Slots<Criteria>, word: Slots<Criteria>["words"][number]) =>
  q
    .select({ id: transactionWords.transactionId })
    .from(transactionWords)
    .where(and(eq(transactionWords.organizationId, organizationId), isInRange(transactionWords.word, word)));
