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

/** A payer who comes back without cookies, from the same internet connection, while other payments are under way. */
export const samePayer = "same@example.com";

/** Whether it is a use of this payer that has no place, while another one of the link may still charge the payer. */
export function isPaidElsewhere(facts: MoneyFacts, id: string): boolean {
  const { parentPaymentId = null, customer } = facts.payments.find((row) => row.id === id) ?? {};
  if (parentPaymentId === null || customer?.email !== samePayer) return false;
  if (spec.placeOf(paymentsOf(facts, id)) !== null) return false;
  return spec.openUsesOf(linkIn(facts, parentPaymentId), samePayer) > 0;
}
