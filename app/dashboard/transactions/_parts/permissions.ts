// What whoever looks at a page may do with transactions, so that nothing is offered that would be refused.
import type { Outputs } from "@/app/_trpc/server";

type User = Outputs["users"]["current"];
type Transaction = Outputs["transactions"]["get"];

/** Members record money only where it is play money, or where their organization lets them. */
export const mayRecord = ({ role, organization }: User): boolean =>
  role === "admin" || organization.mode === "sandbox" || organization.members_record_payments;

/** What of a payment can be given back, in minor units; `underWay` is what its open refunds will take. */
export function refundableAmount(payment: Transaction, underWay: number): number {
  if (payment.type !== "payment") return 0;
  return payment.amount_captured - payment.amount_refunded - payment.amount_disputed - underWay;
}
