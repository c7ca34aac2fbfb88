// Finds the transactions of payment requests: all of those of a page, and the payments that can be refunded.
import { and, asc, eq, gt, inArray, or, type SQL, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { customerCredits, transactions } from "@/db/tables";

/** The ids of all transactions of each payment request, oldest first. */
export async function transactionIdsOf(
  q: Reader | Tx,
  paymentIds: readonly string[],
): Promise<(paymentId: string) => string[]> {
  if (paymentIds.length === 0) return () => [];
  const rows = await q
    .select({ id: transactions.id, paymentId: transactions.paymentId })
    .from(transactions)
    .where(inArray(transactions.paymentId, [...paymentIds]))
    .orderBy(asc(transactions.createdAt), asc(transactions.id));
  return (paymentId) => rows.filter((row) => row.paymentId === paymentId).map((row) => row.id);
}

/** Minor units of a transaction, joined with its credit, that can still be refunded: `refundable` of transactions. */
export const refundableAmount: SQL = sql`${transactions.amountCaptured} - ${transactions.amountRefunded} - ${transactions.amountRefunding} - ${transactions.amountDisputed} - coalesce(${customerCredits.amountSpent}, 0)`;

const isRefundableOrDisputed = or(gt(refundableAmount, 0), eq(transactions.disputeStatus, "open"));

/** The payment request's payments that can be refunded, at least in part, or are disputed; oldest first. */
export async function refundableTransactionIds(q: Reader | Tx, paymentId: string): Promise<string[]> {
  const rows = await q
    .select({ id: transactions.id })
    .from(transactions)
    .leftJoin(customerCredits, eq(customerCredits.id, transactions.id))
    .where(and(eq(transactions.paymentId, paymentId), eq(transactions.type, "payment"), isRefundableOrDisputed))
    .orderBy(asc(transactions.createdAt), asc(transactions.id));
  return rows.map((row) => row.id);
}
