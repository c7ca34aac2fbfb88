// What one customer was asked for, has paid and got back: sums and the newest records, along the indices by customer.
import { and, count, desc, eq, getTableColumns, inArray, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Reader } from "@/db/client";
import { customerCredits, mails, payments, transactions } from "@/db/tables";
import { newerFirst } from "@/server/kit/look-through";
import { newestFirst } from "@/server/kit/page";

/** The customer's newest payment requests: a customer may have any number. */
const newestOf = (q: Reader, customerId: string, most: number) =>
  q
    .select(getTableColumns(payments))
    .from(payments)
    .where(eq(payments.customerId, customerId))
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(most)
    .as("newest");

/** The sums of the newest payment requests by currency, how many these are, and how many were read with the drafts. */
export function sumsByCurrency(q: Reader, customerId: string, most: number) {
  const newest = newestOf(q, customerId, most);
  const total = (column: AnyPgColumn) => sql`sum(case when ${isAsked} then ${column} else 0 end)`.mapWith(Number);
  // Nobody was asked for what a draft says, nor for a use of a link that was begun and is not being paid. What was paid
  // through a reusable link was paid for its uses.
  const isAsked = sql`(${newest.draft} is null and not ${newest.isIdle})`;
  return q
    .select({
      currency: newest.currency,
      read: count(),
      count: sql`sum(case when ${isAsked} then 1 else 0 end)`.mapWith(Number),
      requested: sql`sum(case when ${isAsked} then ${newest.amount} else 0 end)`.mapWith(Number),
      paid: total(newest.amountPaid),
      refunded: total(newest.amountRefunded),
    })
    .from(newest)
    .groupBy(newest.currency)
    .orderBy(newest.currency);
}

/**
 * Of the payments for the newest payment requests, by currency: what was paid of credit and refunded into it, and what the
 * customer's bank returned by disputes that were lost.
 */
export function creditAndDisputesByCurrency(q: Reader, customerId: string, most: number) {
  const newest = newestOf(q, customerId, most);
  const { currency, amountCaptured, amountRefunded, amountDisputed, disputeStatus, paymentId, type, usesCredit } =
    transactions;
  const ofCredit = (column: AnyPgColumn) => sql`sum(case when ${usesCredit} then ${column} else 0 end)`.mapWith(Number);
  return q
    .select({
      currency,
      paid: ofCredit(amountCaptured),
      refunded: ofCredit(amountRefunded),
      chargedBack: sql`sum(case when ${disputeStatus} = 'lost' then ${amountDisputed} else 0 end)`.mapWith(Number),
    })
    .from(transactions)
    .where(and(inArray(paymentId, q.select({ id: newest.id }).from(newest)), eq(type, "payment")))
    .groupBy(currency);
}

/** What was paid without a payment request, by currency: in the newest such transactions, and how many these are. */
export function paidDirectly(q: Reader, customerId: string, most: number) {
  const newest = q
    .select(getTableColumns(transactions))
    .from(transactions)
    .where(eq(transactions.customerId, customerId))
    .orderBy(...newestFirst(transactions))
    .limit(most)
    .as("direct");
  const { currency, type, amountCaptured, amountRefunded } = newest;
  const total = (column: AnyPgColumn) =>
    sql`sum(case when ${type} = 'payment' then ${column} else 0 end)`.mapWith(Number);
  return q
    .select({ currency, read: count(), paid: total(amountCaptured), refunded: total(amountRefunded) })
    .from(newest)
    .groupBy(currency)
    .orderBy(currency);
}

/** The newest transactions: those of the newest payment requests, and those without one. */
export async function newestTransactions(
  q: Reader,
  customerId: string,
  { most, limit }: { most: number; limit: number },
) {
  const requests = newestOf(q, customerId, most);
  // Each has an index of its own.
  const found = [
    inArray(transactions.paymentId, q.select({ id: requests.id }).from(requests)),
    eq(transactions.customerId, customerId),
  ].map((condition) =>
    q
      .select()
      .from(transactions)
      .where(condition)
      .orderBy(...newestFirst(transactions))
      .limit(limit),
  );
  const rows = (await Promise.all(found)).flat();
  return rows.sort(newerFirst).slice(0, limit);
}

const { text: _text, html: _html, ...withoutBodies } = getTableColumns(mails);

/** The newest mails about the newest payment requests. */
export function newestMails(q: Reader, customerId: string, { most, limit }: { most: number; limit: number }) {
  const newest = newestOf(q, customerId, most);
  return q
    .select(withoutBodies)
    .from(mails)
    .where(inArray(mails.paymentId, q.select({ id: newest.id }).from(newest)))
    .orderBy(...newestFirst(mails))
    .limit(limit);
}

/** The customer's newest credits of which something is left, with the payment requests whose surplus they were. */
export const creditsLeft = (q: Reader, customerId: string, limit: number) =>
  q
    .select({
      id: customerCredits.id,
      paymentId: transactions.paymentId,
      currency: customerCredits.currency,
      amount: customerCredits.amount,
      amountLeft: customerCredits.amountLeft,
      createdAt: customerCredits.createdAt,
    })
    .from(customerCredits)
    .innerJoin(transactions, eq(transactions.id, customerCredits.id))
    .where(and(eq(customerCredits.customerId, customerId), sql`${customerCredits.amountLeft} > 0`))
    .orderBy(desc(customerCredits.createdAt), desc(customerCredits.id))
    .limit(limit);
