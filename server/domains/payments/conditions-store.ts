// SQL conditions on payment requests: their status at a given time, and what a path's candidates must match.
import { and, eq, exists, gte, inArray, isNotNull, lt, lte, not, or, type SQL, sql } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { beginsWithAny } from "@/db/prefix";
import { expiringStatuses } from "@/db/schema/values";
import { payments, paymentWords, transactions } from "@/db/tables";
import { unindexed } from "@/db/unindexed";
import type { PaymentStatus } from "./rules";
import type { Path } from "./search-paths";

const expiring: PaymentStatus[] = [...expiringStatuses];
const withRefunds: PaymentStatus[] = ["partially_refunded", "refunded"];

/** The condition that something is due: `amountDue` in SQL. */
export const isDue = sql`${payments.amount} > ${payments.amountPaid} + ${payments.amountWaived}`;

/** The condition that a row has expired by `now` although its stored status is not `expired` yet. */
const isPast = (now: number): SQL =>
  sql`(${or(
    and(inArray(payments.status, expiring), isNotNull(payments.expiresAt), lte(payments.expiresAt, now)),
    and(inArray(payments.status, withRefunds), isNotNull(payments.expiresAt), lte(payments.expiresAt, now), isDue),
    and(eq(payments.status, "authorized"), isNotNull(payments.captureBefore), lte(payments.captureBefore, now)),
  )})`;

/** The condition that a row has one of these statuses at `now`: `statusAt` in SQL. */
export function statusIn(statuses: readonly PaymentStatus[], now: number): SQL | undefined {
  const stored = inArray(payments.status, [...statuses]);
  return statuses.includes("expired") ? or(stored, isPast(now)) : and(stored, not(isPast(now)));
}

/** Stored statuses that time alone can change. */
export const timedStatuses: readonly PaymentStatus[] = [...expiring, ...withRefunds, "authorized"];

/** The condition for a path's candidates: adjacent entries of one index, in the list's order. */
export function candidatesOf(
  q: Reader,
  { organizationId, filters, id, transactionId, ...path }: Path,
): SQL | undefined {
  if (id !== undefined) return eq(payments.id, id);
  if (transactionId !== undefined) {
    const paymentId = q
      .select({ id: transactions.paymentId })
      .from(transactions)
      .where(eq(transactions.id, transactionId));
    return inArray(payments.id, paymentId);
  }
  return and(
    path.account === undefined ? eq(payments.organizationId, organizationId) : eq(payments.accountId, path.account),
    path.byReference && filters.reference !== undefined ? eq(payments.reference, filters.reference) : undefined,
    path.byEmail && path.emailKey !== undefined ? eq(payments.customerEmailKey, path.emailKey) : undefined,
    path.status && eq(payments.status, path.status),
    filters.created_from === undefined ? undefined : gte(payments.createdAt, filters.created_from),
    filters.created_to === undefined ? undefined : lt(payments.createdAt, filters.created_to),
  );
}

/** The conditions on the candidates. */
export function matching(q: Reader, path: Path): SQL | undefined {
  const { organizationId, accounts, account, filters, emailKey, words, now } = path;
  const given = <T>(value: T | undefined, condition: (value: T) => SQL | undefined): SQL | undefined =>
    value === undefined ? undefined : condition(value);
  const { type, currency, reference } = filters;
  return and(
    eq(unindexed(payments.organizationId), organizationId),
    accounts === null || account !== undefined ? undefined : inArray(unindexed(payments.accountId), [...accounts]),
    given(filters.status, (statuses) => statusIn(statuses, now)),
    given(type, (types) => inArray(payments.type, types)),
    given(currency, (one) => eq(payments.currency, one)),
    given(reference, (one) => eq(unindexed(payments.reference), one)),
    given(emailKey, (key) => eq(unindexed(payments.customerEmailKey), key)),
    given(filters.created_from, (at) => gte(payments.createdAt, at)),
    given(filters.created_to, (at) => lt(payments.createdAt, at)),
    ...words.map((word) =>
      exists(
        q
          .select({ one: sql`1` })
          .from(paymentWords)
          .where(and(eq(paymentWords.paymentId, payments.id), beginsWithAny(paymentWords.word, word))),
      ),
    ),
  );
}

/** How many of the matches have expired by `now` although their stored status is not `expired` yet. */
export const pastCount = (now: number) => sql`sum(case when ${isPast(now)} then 1 else 0 end)`.mapWith(Number);
