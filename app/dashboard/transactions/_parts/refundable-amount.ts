// How much of a payment can still be refunded.
import type { Outputs } from "@/app/_trpc/server";

type Transaction = Outputs["transactions"]["get"];

/** The refundable part of a payment, in minor units; `underWay` is the sum of its pending refunds. */
export function refundableAmount(payment: Transaction, underWay: number): number {
  if (payment.type !== "payment") return 0;
  return payment.amount_captured - payment.amount_refunded - payment.amount_disputed - underWay;
}
