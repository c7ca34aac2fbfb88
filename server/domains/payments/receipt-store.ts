// Reads the transactions on a receipt: captured payments and succeeded refunds.
import { and, asc, eq, gt, or, type SQL } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { prepared, slot } from "@/db/prepared";
import { transactions } from "@/db/tables";

export type MovementRow = Awaited<ReturnType<typeof movementsOf>>[number];

const isMovement = and(
  eq(transactions.paymentId, slot("id")),
  or(
    and(eq(transactions.type, "payment"), gt(transactions.amountCaptured, 0)),
    and(eq(transactions.type, "refund"), eq(transactions.status, "succeeded")),
  ),
);

const movementsWhere = (q: Reader, where: SQL | undefined) =>
  q
    .select({
      id: transactions.id,
      type: transactions.type,
      amount: transactions.amount,
      amountCaptured: transactions.amountCaptured,
      paymentMethod: transactions.paymentMethod,
      effectiveAt: transactions.effectiveAt,
      amountRefunded: transactions.amountRefunded,
      amountDisputed: transactions.amountDisputed,
      disputeStatus: transactions.disputeStatus,
      usesCredit: transactions.usesCredit,
    })
    .from(transactions)
    .where(where)
    // The order of the index by payment request; the organization is the same for all rows.
    .orderBy(asc(transactions.organizationId), asc(transactions.createdAt), asc(transactions.id))
    .limit(slot("limit"));

const movements = prepared("payments.movements", (q: Reader) => movementsWhere(q, isMovement));

const movementsOfPayment = prepared("payments.movements_of_payment", (q: Reader) => {
  const { id, parentTransactionId } = transactions;
  return movementsWhere(q, and(isMovement, or(eq(id, slot("payment")), eq(parentTransactionId, slot("payment")))));
});

/** Captured payments and succeeded refunds of the payment request, or of one of its payments, oldest first. */
export const movementsOf = (q: Reader, paymentId: string, payment: string | null, limit: number) =>
  payment === null ? movements(q, { id: paymentId, limit }) : movementsOfPayment(q, { id: paymentId, payment, limit });
