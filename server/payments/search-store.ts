// The queries of the list of payment requests: its pages, how many match, and how many of them each status has.
import { and, count, desc, eq, exists, gte, inArray, isNotNull, lt, lte, not, or, type SQL, sql } from "drizzle-orm";
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

/** What the scope lets its holder see. */
function seen(q: Reader, scope: Scope): SQL | undefined {
  const own = scope.ownerUserId
    ? inArray(
        payments.accountId,
        q.select({ id: accounts.id }).from(accounts).where(eq(accounts.ownerUserId, scope.ownerUserId)),
      )
    : undefined;
  const bound = scope.accountId ? eq(payments.accountId, scope.accountId) : undefined;
  return and(eq(payments.organizationId, scope.organizationId), own, bound);
}

function matching(q: Reader, scope: Scope, filters: PaymentFilters, now: number): SQL | undefined {
  const p = payments;
  const given = <T>(value: T | undefined, condition: (value: T) => SQL | undefined): SQL | undefined =>
    value === undefined ? undefined : condition(value);
  return and(
    seen(q, scope),
    given(filters.account_id, (id) => eq(p.accountId, id)),
    given(filters.status, (statuses) => statusIn(statuses, now)),
    given(filters.type, (types) => inArray(p.type, types)),
    given(filters.currency, (currency) => eq(p.currency, currency)),
    given(filters.reference, (reference) => eq(p.reference, reference)),
    given(filters.customer_email, (email) => eq(p.customerEmailKey, foldEmail(email))),
    given(filters.created_from, (at) => gte(p.createdAt, at)),
    given(filters.created_to, (at) => lt(p.createdAt, at)),
    given(filters.q, (text) => found(q, scope, text)),
  );
}

const expiring: PaymentStatus[] = [...expiringStatuses];

/** The condition that the time of a row was over at `now` although its status does not say so yet. */
const isPast = (now: number): SQL =>
  sql`(${or(
    and(inArray(payments.status, expiring), isNotNull(payments.expiresAt), lte(payments.expiresAt, now)),
    and(eq(payments.status, "authorized"), isNotNull(payments.captureBefore), lte(payments.captureBefore, now)),
  )})`;

/** The condition that a row has one of these statuses at `now`, as the pure rule `statusAt` says it of one row. */
export function statusIn(statuses: readonly PaymentStatus[], now: number): SQL | undefined {
  const stored = inArray(payments.status, [...statuses]);
  return statuses.includes("expired") ? or(stored, isPast(now)) : and(stored, not(isPast(now)));
}

/** Every word of the text begins a word of the request, or the text is the id of it or of one of its transactions. */
function found(q: Reader, scope: Scope, text: string): SQL | undefined {
  const id = text.trim();
  if (isId("pay", id)) return eq(payments.id, id);
  if (isId("txn", id)) {
    return inArray(
      payments.id,
      q.select({ id: transactions.paymentId }).from(transactions).where(eq(transactions.id, id)),
    );
  }
  return and(...wordsOf(text).map((word) => inArray(payments.id, withWord(q, scope, word))));
}

const withWord = (q: Reader, { organizationId }: Scope, prefix: string) =>
  q
    .select({ id: paymentWords.paymentId })
    .from(paymentWords)
    .where(and(eq(paymentWords.organizationId, organizationId), beginsWith(paymentWords.word, prefix)));

/** One page of the requests that match, newest first. */
export const listPayments = (
  q: Reader,
  scope: Scope,
  filters: PaymentFilters,
  page: { after: Position | null; limit: number; now: number },
): Promise<PaymentRow[]> =>
  q
    .select()
    .from(payments)
    .where(and(matching(q, scope, filters, page.now), after(payments, page.after)))
    .orderBy(...newestFirst(payments))
    .limit(page.limit);

export const countPayments = (q: Reader, scope: Scope, filters: PaymentFilters, now: number): Promise<number> =>
  q.$count(payments, matching(q, scope, filters, now));

/** How many of the requests that match have each status at `now`. */
export async function countByStatus(
  q: Reader,
  scope: Scope,
  filters: PaymentFilters,
  now: number,
): Promise<Map<PaymentStatus, number>> {
  const rows = await q
    .select({
      status: payments.status,
      all: count(),
      past: sql`sum(case when ${isPast(now)} then 1 else 0 end)`.mapWith(Number),
    })
    .from(payments)
    .where(matching(q, scope, filters, now))
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

/** Requests of the organization that have texts, of which no word is written down; the newest first. */
export async function findWithoutWords(tx: Tx, organizationId: string, limit: number): Promise<PaymentRow[]> {
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
      ),
    )
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(limit);
}
