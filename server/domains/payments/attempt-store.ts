// Rows of attempts: the transactions by which a request is paid, and what was decided of them.
import { and, asc, eq } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Reader, Tx } from "@/db/client";
import { databaseNow } from "@/db/now";
import { payments, transactions } from "@/db/tables";
import { amountDue } from "./derive";

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

/** A transaction that went to a provider, and whether its request still wants the money. */
export interface Attempt {
  transaction: AttemptRow;
  /** False once the request was canceled, or has been paid by another attempt. */
  isWanted: boolean;
  /** Of the request; automatic for a transaction without one. */
  captureMethod: "automatic" | "manual";
  /** Of a refund: the provider's reference of the charge it gives back. */
  chargeReference: string | null;
  /** When this was read, by the database's clock. Epoch ms. */
  databaseTime: number;
}

const parents = alias(transactions, "parents");

export async function findAttemptById(q: Reader, transactionId: string): Promise<Attempt | undefined> {
  const [row] = await q
    .select({
      transaction: transactions,
      request: payments,
      chargeReference: parents.providerReference,
      databaseTime: databaseNow,
    })
    .from(transactions)
    .leftJoin(payments, eq(payments.id, transactions.paymentId))
    .leftJoin(parents, eq(parents.id, transactions.parentTransactionId))
    .where(eq(transactions.id, transactionId));
  if (!row) return undefined;
  const { transaction, request, ...rest } = row;
  const isWanted = request === null || (request.canceledAt === null && amountDue(request) > 0);
  return { transaction, isWanted, captureMethod: request?.captureMethod ?? "automatic", ...rest };
}

/** The request's attempt that waits for its payer's confirmation, if there is one. */
export async function challengedAttemptOf(tx: Tx, paymentId: string): Promise<AttemptRow | undefined> {
  const [row] = await tx
    .select()
    .from(transactions)
    .where(and(eq(transactions.paymentId, paymentId), eq(transactions.status, "requires_action")))
    .orderBy(asc(transactions.id));
  return row;
}

/** Records that a capture was decided, so that it is carried out even if the process that decided it dies. */
export async function requestCapture(tx: Tx, transactionId: string, amount: number): Promise<void> {
  await tx.update(transactions).set({ captureRequested: amount }).where(eq(transactions.id, transactionId));
}
