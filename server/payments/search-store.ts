// The queries of the list of payment requests: its pages, how many match, and how many of them each status has.
import { and, count, eq, exists, gte, inArray, isNotNull, lt, lte, not, or, type SQL, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { beginsWith } from "@/db/prefix";
import { expiringStatuses } from "@/db/schema/values";
import { accounts, payments, paymentWords, transactions } from "@/db/tables";
import type { Scope } from "@/server/kit/context";
import { foldEmail } from "@/server/kit/fields";
import { isId } from "@/server/kit/ids";
import { after, newestFirst, type Position } from "@/server/kit/page";
import { wordsOf } from "@/server/kit/words";
import type { PaymentStatus } from "./rules";
import type { PaymentFilters } from "./schema";
import type { PaymentRow } from "./store";

export interface Search {
  organizationId: string;
  /** Only requests of these accounts; null for all of the organization. */
  accounts: readonly string[] | null;
  filters: PaymentFilters;
  /** Epoch ms: some statuses change with the time alone. */
  now: number;
}

/** The accounts whose requests are asked for, the asked one being in sight; null for the whole organization. */
export async function searchedAccounts(
  q: Reader,
  { organizationId, ownerUserId, accountId }: Scope,
  asked: string | undefined,
): Promise<readonly string[] | null> {
  if (asked !== undefined) return [asked];
  if (accountId !== null) return [accountId];
  if (ownerUserId === null) return null;
  const rows = await q
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.ownerUserId, ownerUserId), eq(accounts.organizationId, organizationId)));
  return rows.map((row) => row.id);
}

/** Accounts are of one organization: naming it too would have SQLite walk through all of the organization's rows. */
const seen = ({ organizationId, accounts: own }: Search): SQL =>
  own === null ? eq(payments.organizationId, organizationId) : inArray(payments.accountId, [...own]);

function matching(q: Reader, search: Search): SQL | undefined {
  const { filters, now } = search;
  const p = payments;
  const given = <T>(value: T | undefined, condition: (value: T) => SQL | undefined): SQL | undefined =>
    value === undefined ? undefined : condition(value);
  return and(
    seen(search),
    given(filters.status, (statuses) => statusIn(statuses, now)),
    given(filters.type, (types) => inArray(p.type, types)),
    given(filters.currency, (currency) => eq(p.currency, currency)),
    given(filters.reference, (reference) => eq(p.reference, reference)),
    given(filters.customer_email, (email) => eq(p.customerEmailKey, foldEmail(email))),
    given(filters.created_from, (at) => gte(p.createdAt, at)),
    given(filters.created_to, (at) => lt(p.createdAt, at)),
    given(filters.q, (text) => found(q, search, text)),
  );
}

const expiring: PaymentStatus[] = [...expiringStatuses];
const givenBack: PaymentStatus[] = ["partially_refunded", "refunded"];

/** The condition that something is still to be paid, as the pure rule `amountDue` says it of one row. */
export const isDue = sql`${payments.amount} > ${payments.amountPaid} + ${payments.amountWaived}`;

/** The condition that the time of a row was over at `now` although its status does not say so yet. */
const isPast = (now: number): SQL =>
  sql`(${or(
    and(inArray(payments.status, expiring), isNotNull(payments.expiresAt), lte(payments.expiresAt, now)),
    and(inArray(payments.status, givenBack), isNotNull(payments.expiresAt), lte(payments.expiresAt, now), isDue),
    and(eq(payments.status, "authorized"), isNotNull(payments.captureBefore), lte(payments.captureBefore, now)),
  )})`;

/** The condition that a row has one of these statuses at `now`, as the pure rule `statusAt` says it of one row. */
export function statusIn(statuses: readonly PaymentStatus[], now: number): SQL | undefined {
  const stored = inArray(payments.status, [...statuses]);
  return statuses.includes("expired") ? or(stored, isPast(now)) : and(stored, not(isPast(now)));
}

/** Every word of the text begins a word of the request, or the text is the id of it or of one of its transactions. */
function found(q: Reader, search: Search, text: string): SQL | undefined {
  const id = text.trim();
  if (isId("pay", id)) return eq(payments.id, id);
  if (isId("txn", id)) {
    return inArray(
      payments.id,
      q.select({ id: transactions.paymentId }).from(transactions).where(eq(transactions.id, id)),
    );
  }
  return and(...wordsOf(text).map((word) => inArray(payments.id, withWord(q, search, word))));
}

const withWord = (q: Reader, { organizationId }: Search, prefix: string) =>
  q
    .select({ id: paymentWords.paymentId })
    .from(paymentWords)
    .where(and(eq(paymentWords.organizationId, organizationId), beginsWith(paymentWords.word, prefix)));

/** One page of the requests that match, newest first. */
export const listPayments = (
  q: Reader,
  search: Search,
  position: Position | null,
  limit: number,
): Promise<PaymentRow[]> =>
  q
    .select()
    .from(payments)
    .where(and(matching(q, search), after(payments, position)))
    .orderBy(...newestFirst(payments))
    .limit(limit);

export const countPayments = (q: Reader, search: Search): Promise<number> => q.$count(payments, matching(q, search));

/** How many of the requests that match have each status at `now`. */
export async function countByStatus(q: Reader, search: Search): Promise<Map<PaymentStatus, number>> {
  const rows = await q
    .select({
      status: payments.status,
      all: count(),
      past: sql`sum(case when ${isPast(search.now)} then 1 else 0 end)`.mapWith(Number),
    })
    .from(payments)
    .where(matching(q, search))
    .groupBy(payments.status);
  const counts = new Map<PaymentStatus, number>();
  const add = (status: PaymentStatus, more: number) => counts.set(status, (counts.get(status) ?? 0) + more);
  for (const { status, all, past } of rows) {
    add(status, all - past);
    add("expired", past);
  }
  return counts;
}

/** Writes down by which words a request is found. */
export async function insertWords(tx: Tx, row: PaymentRow, words: readonly string[]): Promise<void> {
  if (words.length === 0) return;
  const { id: paymentId, organizationId } = row;
  await tx
    .insert(paymentWords)
    .values(words.map((word) => ({ paymentId, organizationId, word })))
    .onConflictDoNothing();
}

/** Requests of the organization after `position` that have texts, of which no word is written down; the newest first. */
export async function findWithoutWords(
  tx: Tx,
  organizationId: string,
  position: Position | null,
  limit: number,
): Promise<PaymentRow[]> {
  const { reference, description, customer } = payments;
  const words = tx.select({ one: sql`1` }).from(paymentWords).where(eq(paymentWords.paymentId, payments.id));
  return tx
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.organizationId, organizationId),
        or(isNotNull(reference), isNotNull(description), isNotNull(customer)),
        not(exists(words)),
        after(payments, position),
      ),
    )
    .orderBy(...newestFirst(payments))
    .limit(limit);
}
