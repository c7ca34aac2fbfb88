// What the viewer may do with transactions, so that the page offers nothing that would be refused.
import type { Outputs } from "@/app/_trpc/server";

type User = Outputs["users"]["current"];
type Transaction = Outputs["transactions"]["get"];

/** Members record payments only in the sandbox, or if their organization allows it. */
export const mayRecord = ({ role, organization }: User): boolean =>
  role === "admin" || organization.mode === "sandbox" || organization.members_record_payments;

/** The refundable part of a payment, in minor units; `underWay` is the sum of its pending refunds. */
export function refundableAmount(payment: Transaction, underWay: number): number {
  if (payment.type !== "payment") return 0;
  return payment.amount_captured - payment.amount_refunded - payment.amount_disputed - underWay;
}
