// The queries of the list of transactions: every filter an index can serve is one.
import { and, eq, exists, gt, gte, inArray, isNull, lt, lte, notInArray, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Reader } from "@/db/client";
import { beginsWith } from "@/db/prefix";
import { accounts, transactions, transactionTags, transactionWords } from "@/db/tables";
import type { Scope } from "@/server/kit/context";
import { foldEmail } from "@/server/kit/fields";
import { isId } from "@/server/kit/ids";
import { after, newestFirst, type Position } from "@/server/kit/page";
import { wordsOf } from "@/server/kit/words";
import type { TransactionRow } from "./present";
import type { TransactionFilters } from "./schema";

export interface Search {
  organizationId: string;
  /** Only transactions of these accounts and transfers into them; null for all of the organization. */
  accounts: readonly string[] | null;
  filters: TransactionFilters;
  /** Only these of what matches. */
  ids?: readonly string[] | undefined;
  /** Epoch ms: some statuses change with the time alone. */
  now: number;
}

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

/**
 * One page, newest first. An account's own transactions and the transfers into it have an index each, so they are read
 * apart and merged: a condition over both would have either engine sort everything.
 */
export async function searchTransactions(
  q: Reader,
  search: Search,
  position: Position | null,
  limit: number,
): Promise<TransactionRow[]> {
  const parts = await Promise.all(partsOf(search).map((part) => readPage(q, search, part, position, limit)));
  return parts.flat().sort(newerFirst).slice(0, limit);
}

export async function countTransactions(q: Reader, search: Search): Promise<number> {
  const counts = await Promise.all(
    partsOf(search).map((part) => q.$count(transactions, and(part, matching(q, search, search.filters)))),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

const newerFirst = (a: TransactionRow, b: TransactionRow): number =>
  b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);

/**
 * Conditions that no row meets two of, and that together give what is in sight. Accounts are of one organization, and so
 * is what belongs to them: naming it too would have SQLite walk through all of the organization's rows.
 */
function partsOf({ organizationId, accounts: own }: Search): (SQL | undefined)[] {
  if (own === null) return [eq(transactions.organizationId, organizationId)];
  if (own.length === 0) return [];
  const { accountId, destinationAccountId } = transactions;
  const ids = [...own];
  return [inArray(accountId, ids), and(inArray(destinationAccountId, ids), notInArray(accountId, ids))];
}

/** The tag by which rows are found and ordered, so that the index of tags alone gives the page. */
const leading = alias(transactionTags, "leading");

function readPage(
  q: Reader,
  search: Search,
  part: SQL | undefined,
  position: Position | null,
  limit: number,
): Promise<TransactionRow[]> {
  const [first, ...rest] = tagsOf(search.filters);
  const others = { ...search.filters, metadata: undefined, customer_metadata: undefined };
  const conditions = and(part, matching(q, search, others), ...rest.map((tag) => hasTag(q, search, tag)));
  if (!first) {
    const where = and(conditions, after(transactions, position));
    return q
      .select()
      .from(transactions)
      .where(where)
      .orderBy(...newestFirst(transactions))
      .limit(limit);
  }
  const keyset = { createdAt: leading.createdAt, id: leading.transactionId };
  return q
    .select({ row: transactions })
    .from(leading)
    .innerJoin(transactions, eq(transactions.id, leading.transactionId))
    .where(and(isTag(leading, search, first), conditions, after(keyset, position)))
    .orderBy(...newestFirst(keyset))
    .limit(limit)
    .then((rows) => rows.map(({ row }) => row));
}

interface Tag {
  scope: "metadata" | "customer";
  key: string;
  value: string;
}

function tagsOf(filters: Pick<TransactionFilters, "metadata" | "customer_metadata">): Tag[] {
  const tags = (scope: Tag["scope"], values: Record<string, string> = {}) =>
    Object.entries(values).map(([key, value]) => ({ scope, key, value }));
  return [...tags("metadata", filters.metadata), ...tags("customer", filters.customer_metadata)];
}

const isTag = (table: typeof transactionTags | typeof leading, search: Search, tag: Tag): SQL | undefined =>
  and(
    eq(table.organizationId, search.organizationId),
    eq(table.scope, tag.scope),
    eq(table.key, tag.key),
    eq(table.value, tag.value),
  );

const hasTag = (q: Reader, search: Search, tag: Tag): SQL =>
  exists(
    q
      .select({ one: sql`1` })
      .from(transactionTags)
      .where(and(eq(transactionTags.transactionId, transactions.id), isTag(transactionTags, search, tag))),
  );

/** One of the statuses, as the time has made them: see `statusAt` in present.ts. */
function hasStatus(statuses: NonNullable<TransactionFilters["status"]>, now: number): SQL | undefined {
  const { status, captureBefore } = transactions;
  const others = statuses.filter((one) => one !== "authorized");
  const lives = or(isNull(captureBefore), gt(captureBefore, now));
  return or(
    others.length > 0 ? inArray(status, others) : undefined,
    statuses.includes("authorized") ? and(eq(status, "authorized"), lives) : undefined,
    statuses.includes("expired") ? and(eq(status, "authorized"), lte(captureBefore, now)) : undefined,
  );
}

function matching(q: Reader, search: Search, filters: TransactionFilters): SQL | undefined {
  const t = transactions;
  const given = <T>(value: T | undefined, condition: (value: T) => SQL | undefined): SQL | undefined =>
    value === undefined ? undefined : condition(value);
  return and(
    given(search.ids, (ids) => inArray(t.id, [...ids])),
    given(filters.status, (statuses) => hasStatus(statuses, search.now)),
    given(filters.type, (types) => inArray(t.type, types)),
    given(filters.created_from, (at) => gte(t.createdAt, at)),
    given(filters.created_to, (at) => lt(t.createdAt, at)),
    given(filters.customer_email, (email) => eq(t.customerEmailKey, foldEmail(email))),
    given(filters.customer_reference, (reference) => eq(t.customerReference, reference)),
    given(filters.payment_id, (id) => eq(t.paymentId, id)),
    given(filters.parent_transaction_id, (id) => eq(t.parentTransactionId, id)),
    given(filters.currency, (currency) => eq(t.currency, currency)),
    given(filters.amount_min, (amount) => gte(t.amount, amount)),
    given(filters.amount_max, (amount) => lte(t.amount, amount)),
    given(filters.reference, (reference) => eq(t.reference, reference)),
    given(filters.q, (text) => found(q, search, text)),
    ...tagsOf(filters).map((tag) => hasTag(q, search, tag)),
  );
}

/** Every word of the text begins a word of the transaction, or the text is the id of it or of its payment request. */
function found(q: Reader, search: Search, text: string): SQL | undefined {
  const id = text.trim();
  if (isId("txn", id)) return eq(transactions.id, id);
  if (isId("pay", id)) return eq(transactions.paymentId, id);
  return and(...wordsOf(text).map((word) => inArray(transactions.id, withWord(q, search, word))));
}

const withWord = (q: Reader, { organizationId }: Search, prefix: string) =>
  q
    .select({ id: transactionWords.transactionId })
    .from(transactionWords)
    .where(and(eq(transactionWords.organizationId, organizationId), beginsWith(transactionWords.word, prefix)));
