// Rows of attempts: the transactions by which a request is paid, and which of them the provider is still to be asked about.
import { and, asc, eq, isNotNull, lte } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Reader, Tx } from "@/db/client";
import { payments, transactions } from "@/db/tables";

export type AttemptRow = typeof transactions.$inferSelect;

/** The attempt that a pay form's one-time token has made. */
export async function findAttempt(tx: Tx, attemptKey: string): Promise<AttemptRow | undefined> {
  const [row] = await tx.select().from(transactions).where(eq(transactions.attemptKey, attemptKey));
  return row;
}

/** The request's open authorizations. */
export const openHoldsOf = (tx: Tx, paymentId: string): Promise<AttemptRow[]> =>
  tx
    .select()
    .from(transactions)
    .where(
      and(
        eq(transactions.paymentId, paymentId),
        eq(transactions.type, "payment"),
        eq(transactions.status, "authorized"),
      ),
    )
    .orderBy(asc(transactions.id));

/** Sets when the provider is to be asked about the transaction; null for never. */
export async function scheduleLookup(tx: Tx, transactionId: string, at: number | null): Promise<void> {
  await tx.update(transactions).set({ reconcileAfter: at }).where(eq(transactions.id, transactionId));
}

/** A transaction in doubt, and whether its request was called off. */
export interface DoubtfulAttempt {
  transaction: AttemptRow;
  isCanceled: boolean;
  /** Of a refund: the provider's reference of the charge it gives back. */
  chargeReference: string | null;
}

const parents = alias(transactions, "parents");

/** The transactions that were to be asked about by `now`, oldest first. */
export async function doubtfulAttempts(q: Reader, now: number, limit: number): Promise<DoubtfulAttempt[]> {
  const rows = await q
    .select({
      transaction: transactions,
      canceledAt: payments.canceledAt,
      chargeReference: parents.providerReference,
    })
    .from(transactions)
    .leftJoin(payments, eq(payments.id, transactions.paymentId))
    .leftJoin(parents, eq(parents.id, transactions.parentTransactionId))
    .where(and(isNotNull(transactions.reconcileAfter), lte(transactions.reconcileAfter, now)))
    .orderBy(asc(transactions.reconcileAfter))
    .limit(limit);
  return rows.map(({ canceledAt, ...row }) => ({ ...row, isCanceled: canceledAt !== null }));
}
