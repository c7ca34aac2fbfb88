// What a payment request tells about its attempts: the last failure, where one is confirmed, when the last hold lapses.
import type { TransactionFailure } from "@/db/schema/values";
import { type Attempt, isCovered, type PaymentFacts, type PaymentStatus } from "./derive";

const waiting: readonly PaymentStatus[] = ["pending", "partially_paid", "partially_refunded", "refunded"];

/**
 * The failure of the last card attempt, while the payment request waits for money or after it failed or expired unpaid.
 * `attempts` come oldest first.
 */
export function lastErrorOf(status: PaymentStatus, facts: PaymentFacts): TransactionFailure | null {
  if (isCovered(facts) || !(waiting.includes(status) || status === "failed" || status === "expired")) return null;
  const failure = facts.attempts.findLast((attempt) => attempt.provider !== null)?.failure ?? null;
  return failure && { code: failure.code, message: failure.message };
}

/** The page on which the payer confirms the attempt in progress; null if no confirmation is awaited. */
export const actionUrlOf = (
  status: PaymentStatus | "open" | "used_up" | "taken" | "link_paused" | "unavailable",
  attempts: readonly Attempt[],
): string | null =>
  status === "requires_action"
    ? (attempts.findLast((attempt) => attempt.status === "requires_action")?.actionUrl ?? null)
    : null;

/** When the payment request's last open authorization lapses; null without one. */
export function captureBeforeOf(attempts: readonly Attempt[]): number | null {
  const ends = attempts.flatMap(({ status, captureBefore }) =>
    status === "authorized" && captureBefore !== null ? [captureBefore] : [],
  );
  return ends.length > 0 ? Math.max(...ends) : null;
}
