// Reusable links among the facts of a life.
import { attemptKeyOf } from "@/server/domains/payments/form-token";
import type { PaymentRow } from "@/server/domains/payments/store";
import { type Facts, type MoneyFacts, paymentsOf } from "./facts";
import type { Scene } from "./scene";
import * as spec from "./spec-links";

type Connections = ReadonlyMap<string, string>;

/** The link with its uses. `connections` say from where each was begun, if that is asked. */
export const linkIn = (facts: MoneyFacts, id: string, connections: Connections = new Map()): spec.Link => {
  const row = facts.payments.find((one) => one.id === id);
  if (!row) throw new Error(`No reusable link ${id}.`);
  const uses = facts.payments.filter((one) => one.parentPaymentId === id);
  return {
    terms: row,
    uses: uses.map((use) => {
      const payments = paymentsOf(facts, use.id);
      // An erased use is known to nobody any more.
      const connection = use.payerKey === null ? undefined : connections.get(payments[0]?.attemptKey ?? "");
      return { row: use, payments, connection };
    }),
  };
};

/** Whether the payment request is a use that has no place and can get none. */
export function isShutOut(facts: MoneyFacts, { id, parentPaymentId }: PaymentRow): boolean {
  if (parentPaymentId === null || spec.placeOf(paymentsOf(facts, id)) !== null) return false;
  return spec.isFull(linkIn(facts, parentPaymentId));
}

/** Whether the payment request is a use that has no place, of a link that its merchant has paused. */
export function isPausedWithLink(facts: MoneyFacts, id: string): boolean {
  const { parentPaymentId = null } = facts.payments.find((row) => row.id === id) ?? {};
  if (parentPaymentId === null || spec.placeOf(paymentsOf(facts, id)) !== null) return false;
  return linkIn(facts, parentPaymentId).terms.pausedAt !== null;
}

/** Whether the payment request is a use of a link that may slow strangers down. */
export function mayBeSlowed(facts: MoneyFacts, id: string): boolean {
  const { parentPaymentId = null } = facts.payments.find((row) => row.id === id) ?? {};
  return parentPaymentId !== null && spec.maySlow(linkIn(facts, parentPaymentId));
}

/** The internet connection from which a use was begun; undefined for any other payment request. */
export const connectionOf = ({ connections }: Scene, facts: Facts, id: string): string | undefined =>
  connections.get(paymentsOf(facts, id)[0]?.attemptKey ?? "");

/** Notes from where a form was sent, so that the use that it begins can be told from others. */
export function noteConnection({ connections }: Scene, form: string, ip: string): void {
  connections.set(attemptKeyOf(form), ip);
}

/**
 * Whether it is a use that has no place, and its payer, on the connection from which it was begun, has another payment
 * of the link under way or may hold no more of its places.
 */
export function isPaidElsewhere(scene: Scene, facts: Facts, id: string, at: number): boolean {
  const { parentPaymentId = null, customer } = facts.payments.find((row) => row.id === id) ?? {};
  if (parentPaymentId === null || spec.placeOf(paymentsOf(facts, id)) !== null) return false;
  const payer = { email: customer?.email ?? null, connection: connectionOf(scene, facts, id) ?? "" };
  return spec.isHeldBack(linkIn(facts, parentPaymentId, scene.connections), payer, at);
}

/**
 * Whether the form began a use that was canceled at once, because calls at the same time had taken all places that its
 * connection may hold.
 */
export function isReleased(facts: Facts, form: string): boolean {
  const attempt = facts.transactions.find(({ attemptKey }) => attemptKey === attemptKeyOf(form));
  const use = facts.payments.find(({ id }) => id === attempt?.paymentId);
  return use?.parentPaymentId != null && use.canceledAt !== null;
}
