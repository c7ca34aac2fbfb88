// Rows of attempts: the transactions by which a payment request is paid.
import { and, asc, eq } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { transactions } from "@/db/tables";

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

/** The request's attempt that waits for its payer's confirmation, if there is one. */
export async function challengedAttemptOf(tx: Tx, paymentId: string): Promise<AttemptRow | undefined> {
  const [row] = await tx
    .select()
    .from(transactions)
    .where(and(eq(transactions.paymentId, paymentId), eq(transactions.status, "requires_action")))
    .orderBy(asc(transactions.id));
  return row;
}
