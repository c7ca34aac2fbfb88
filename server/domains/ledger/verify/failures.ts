// Proof that a page takes no card exactly if too many attempts failed on it.
import { createHash } from "node:crypto";
import { expectThat } from "./fault";
import type { Row } from "./snapshot-store";

/** Attempts within 30 days after which a page takes no card: declined, or left by the payer without a confirmation. */
const mostDeclines = 30;
const mostAbandoned = 50;
const countedMs = 30n * 24n * 60n * 60n * 1000n;

/** Proves that the attempts explain whether the page of the payment request takes cards. */
export function proveFailure(payment: Row, attempts: readonly Row[]): void {
  const since = BigInt(payment.cards_allowed_at ?? 0);
  const byPayers = withoutStoredCard(String(payment.id), attempts);
  const declines = mostAtOnce(byPayers, since, isDecline);
  const abandoned = mostAtOnce(byPayers, since, isAbandoned);
  const isWithin = declines < mostDeclines && abandoned < mostAbandoned;
  const hasReachedLimit = attempts.filter((attempt) => attempt.provider !== null).length >= mostDeclines;
  // A declined attempt may have succeeded since, so fewer declines may remain than ended the payment request.
  const isExplained = payment.failed_at === null ? isWithin : hasReachedLimit;
  expectThat(
    isExplained,
    { check: "payment", paymentId: String(payment.id) },
    `failed_at is ${payment.failed_at} after ${declines} declined and ${abandoned} abandoned attempts.`,
  );
}

/** The attempts of payers: a charge of a stored card has a key that is made of the payment request's id and a number. */
function withoutStoredCard(id: string, attempts: readonly Row[]): Row[] {
  const keys = attempts.map((_, i) => createHash("sha256").update(`renewal:${id}:${i}`).digest("hex"));
  return attempts.filter(({ attempt_key: key }) => !keys.includes(String(key)));
}

/** The most failures within any 30 days, after cards were last allowed. */
function mostAtOnce(attempts: readonly Row[], since: bigint, isFailure: (attempt: Row) => boolean): number {
  const times = attempts.filter(isFailure).map((attempt) => BigInt(attempt.settled_at ?? 0));
  const counted = times.filter((at) => at > since);
  return Math.max(0, ...counted.map((end) => counted.filter((at) => at <= end && at > end - countedMs).length));
}

/** Whether a provider declined the attempt: it reached the provider, and its payer did not leave it unconfirmed. */
const isDecline = ({ provider, status, failure_code: code }: Row): boolean =>
  provider !== null && status === "failed" && code !== "not_received" && code !== "authentication_abandoned";

const isAbandoned = ({ provider, status, failure_code: code }: Row): boolean =>
  provider !== null && status === "failed" && code === "authentication_abandoned";
