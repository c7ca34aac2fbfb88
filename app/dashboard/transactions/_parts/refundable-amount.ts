// How much of a payment can still be refunded, and what the refund dialog knows about the payment.
import type { Outputs } from "@/app/_trpc/server";

type Transaction = Outputs["transactions"]["get"];

/** The refundable part of a payment, in minor units; `underWay` is the sum of its pending refunds. */
export function refundableAmount(payment: Transaction, underWay: number): number {
  if (payment.type !== "payment" || payment.status === "disputed") return 0;
  const { amount_captured: captured, amount_refunded: refunded, amount_disputed: disputed } = payment;
  return Math.max(0, captured - refunded - disputed - payment.amount_credit_spent - underWay);
}

/** What the dialog that refunds a payment knows of it. */
export interface RefundedPayment {
  id: string;
  currency: string;
  /** Minor units. */
  captured: number;
  /** Whether it was made of the customer's credit, which a refund gives back. */
  isOfCredit: boolean;
}

export const refundedPayment = (payment: Transaction): RefundedPayment => ({
  id: payment.transaction_id,
  currency: payment.currency,
  captured: payment.amount_captured,
  isOfCredit: payment.payment_method?.type === "customer_credit",
});
