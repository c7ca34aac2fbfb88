// Reusable links among the facts of a life.
import type { PaymentRow } from "@/server/domains/payments/store";
import { type MoneyFacts, paymentsOf } from "./facts";
import * as spec from "./spec-links";

/** The link with its uses. */
export const linkIn = (facts: MoneyFacts, id: string): spec.Link => {
  const row = facts.payments.find((one) => one.id === id);
  if (!row) throw new Error(`No reusable link ${id}.`);
  const uses = facts.payments.filter((one) => one.parentPaymentId === id);
  return { terms: row, uses: uses.map((use) => ({ row: use, payments: paymentsOf(facts, use.id) })) };
};

/** Whether the payment request is a use that has no place and can get none. */
export function isShutOut(facts: MoneyFacts, { id, parentPaymentId }: PaymentRow): boolean {
  if (parentPaymentId === null || spec.placeOf(paymentsOf(facts, id)) !== null) return false;
  return spec.isFull(linkIn(facts, parentPaymentId));
}

/** Whether the payment request is a use that has no place, and whose link has expired: only its merchant may go on. */
export function isOverForPayers(facts: MoneyFacts, { id, parentPaymentId }: PaymentRow, at: number): boolean {
  if (parentPaymentId === null || spec.placeOf(paymentsOf(facts, id)) !== null) return false;
  return spec.statusOf(linkIn(facts, parentPaymentId), at) === "expired";
}
