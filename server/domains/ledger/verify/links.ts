// Proof that the counts and sums of each reusable link follow from its uses, and the place of each use from its attempts.
import { expectThat } from "./fault";
import type { Row } from "./snapshot-store";

export const usesQuery = `
  select parent_payment_id, sum(case when place = 'taken' then 1 else 0 end) as uses_count,
    sum(case when place = 'held' then 1 else 0 end) as uses_reserved, sum(amount_paid) as amount_paid,
    sum(amount_refunded) as amount_refunded
  from payments where parent_payment_id > ? and parent_payment_id <= ? group by parent_payment_id`;

/** Whether the row is a reusable link. */
export const isLink = ({ usage_limit: limit }: Row): boolean => limit !== 1n;

const count = (value: Row[string] | undefined): bigint => BigInt(value ?? 0);

/** What only transactions have, so none of it belongs to a link. */
const none = [
  ...["amount_authorized", "amount_capturable", "amount_released", "amount_credited", "amount_overpaid"],
  ...["amount_lost", "amount_reopened", "amount_written_off", "paid_late_at"],
  ...["amount_disputed", "attempt_count", "capture_before"],
];

/** Proves a link, given what its uses add up to and the transactions that claim to belong to it. */
export function proveLink(link: Row, uses: Row | undefined, attempts: readonly Row[]): void {
  const at = { check: "payment", paymentId: String(link.id) } as const;
  expectThat(attempts.length === 0, at, "A reusable link has a transaction of its own.");
  for (const name of ["uses_count", "uses_reserved", "amount_paid", "amount_refunded"]) {
    const [stored, expected] = [count(link[name]), count(uses?.[name])];
    expectThat(stored === expected, at, `${name} is ${stored}, but the uses say ${expected}.`);
  }
  for (const name of none) {
    expectThat(count(link[name]) === 0n, at, `${name} is ${link[name]}, but a reusable link has none.`);
  }
  expectThat(link.dispute_status === "none", at, "A reusable link has no dispute of its own.");
  expectThat(count(link.amount_waived) === count(link.amount), at, "A reusable link has something due.");
  const status = statusOf(link);
  expectThat(link.status === status, at, `The status is ${link.status}, but its uses and dates say ${status}.`);
}

function statusOf(link: Row): string {
  if (link.canceled_at !== null) return "canceled";
  if (link.is_draft === 1n) return "draft";
  if (link.usage_limit !== null && count(link.uses_count) >= count(link.usage_limit)) return "paid";
  const isPast = link.expires_at !== null && count(link.updated_at) >= count(link.expires_at);
  return isPast ? "expired" : "pending";
}

/** Proves the place of a use, and that it belongs to its link; other payment requests have neither. */
export function proveUse(payment: Row, attempts: readonly Row[]): void {
  const at = { check: "payment", paymentId: String(payment.id) } as const;
  const isOpen = ({ status }: Row) => ["requires_action", "processing", "authorized"].includes(String(status));
  const isPaid = attempts.some((attempt) => count(attempt.amount_captured) > 0n);
  const isUse = payment.parent_payment_id !== null;
  const place = !isUse ? null : isPaid ? "taken" : attempts.some(isOpen) ? "held" : null;
  const hasUses = isLink(payment) || (payment.uses_count === 0n && payment.uses_reserved === 0n);
  expectThat(hasUses, at, "A payment request that is no reusable link counts uses.");
  expectThat(payment.place === place, at, `The place is ${payment.place}, but the transactions say ${place}.`);
  const hasLink = !isUse || (payment.link_account_id === payment.account_id && payment.link_usage_limit !== 1n);
  expectThat(hasLink, at, "The reusable link does not exist, or belongs to another account.");
}
