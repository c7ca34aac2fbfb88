// The status of a payment request that its transactions, its commands and the time call for.
import type { Row } from "./snapshot-store";

/** What lost disputes took. */
export const lostOf = (attempts: readonly Row[]): bigint =>
  attempts.reduce((total, one) => total + (one.dispute_status === "lost" ? BigInt(one.amount_disputed ?? 0) : 0n), 0n);

/** Whether it was not finalized, so it has no attempt. */
const isUnpaidDraft = ({ is_draft: isDraft, attempt_count: attempts }: Row): boolean =>
  isDraft === 1n && attempts === 0n;

/**
 * The status by precedence. A payment request that is not fully paid ends by a command or by time, unless money
 * is in progress; after too many declines it has failed. The status of a fully paid one depends on its refunds.
 */
export function statusOf(payment: Row, attempts: readonly Row[]): string {
  const now = BigInt(payment.updated_at ?? 0);
  const paid = BigInt(payment.amount_paid ?? 0);
  // What the customer got back, by refunds or by disputes that were lost.
  const again = BigInt(payment.amount_reopened ?? 0);
  const returned = BigInt(payment.amount_refunded ?? 0) + lostOf(attempts) - again;
  const asked = BigInt(payment.amount ?? 0) + again;
  const isPaid = paid > 0n && paid + BigInt(payment.amount_waived ?? 0) >= asked;
  const isStored = payment.is_trial === 1n && attempts.some((attempt) => attempt.status === "succeeded");
  const isCovered = isPaid || isStored;
  if (!isCovered) {
    const unpaid = statusOfUnpaid(payment, attempts, now);
    if (unpaid !== null) return unpaid;
  }
  if (payment.dispute_status === "open" || payment.amount_lost !== 0n) return "disputed";
  const kept = paid - again;
  if (kept > 0n && returned >= kept) return "refunded";
  if (returned > 0n) return "partially_refunded";
  if (isCovered) return "paid";
  return kept > 0n ? "partially_paid" : "pending";
}

function statusOfUnpaid(payment: Row, attempts: readonly Row[], now: bigint): string | null {
  const has = (...statuses: string[]) => attempts.some((attempt) => statuses.includes(String(attempt.status)));
  const lapsed = attempts.filter((attempt) => hasLapsed(attempt, now));
  if (payment.canceled_at !== null) return "canceled";
  if (isUnpaidDraft(payment)) return "draft";
  if (payment.dispute_status === "open") return "disputed";
  if (attempts.some((attempt) => attempt.status === "authorized" && !lapsed.includes(attempt))) return "authorized";
  if (has("processing")) return "processing";
  const isPast = payment.expires_at !== null && now >= BigInt(payment.expires_at ?? 0);
  const extendedAt = BigInt(payment.extended_at ?? 0);
  // An extension forgives the authorizations that had lapsed before it.
  const isLapsed = lapsed.some(({ capture_before: end }) => BigInt(end ?? 0) > extendedAt);
  if (isLapsed || isPast) return "expired";
  if (has("requires_action")) return "requires_action";
  return payment.failed_at !== null ? "failed" : null;
}

/** Whether an authorization expired with nothing captured. */
function hasLapsed(attempt: Row, now: bigint): boolean {
  const {
    amount_authorized: authorized,
    amount_captured: captured,
    capture_before: end,
    settled_at: settled,
  } = attempt;
  if (authorized === 0n || captured !== 0n || typeof end !== "bigint") return false;
  const closed = attempt.status === "authorized" ? now : settled;
  return typeof closed === "bigint" && closed >= end;
}
