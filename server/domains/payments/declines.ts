// Which failed attempts count against the payer, and when there were too many.
import { neverConfirmed, notReceived } from "@/server/domains/providers/provider";
import { limits } from "@/server/kit/limits";
import type { Attempt } from "./derive";
import { renewalKeyOf } from "./form-token";
import { lastPaid } from "./totals";

/** Whether the attempt reached the provider and failed there: `abandoned` if the payer never confirmed it. */
function failureOf({ provider, status, failure }: Attempt): "declined" | "abandoned" | null {
  if (provider === null || status !== "failed" || failure?.code === notReceived.code) return null;
  return failure?.code === neverConfirmed.code ? "abandoned" : "declined";
}

/**
 * Whether declines have used up all attempts since a part was last paid. Confirmations that the payer abandoned say
 * nothing against a card, but each makes work, so there is a bound for them, too.
 */
export function hasFailed(attempts: readonly Attempt[]): boolean {
  const since = lastPaid(attempts)?.settledAt ?? 0;
  const failures = attempts.filter(({ settledAt }) => (settledAt ?? 0) >= since).map(failureOf);
  const count = (wanted: string) => failures.filter((one) => one === wanted).length;
  return count("declined") >= limits.paymentAttempts || count("abandoned") >= limits.abandonedConfirmations;
}

/** The attempts of payers, without charges of the stored card, whose number the dates of the retries bound. */
export function attemptsOfPayers(attempts: readonly Attempt[], { id, isRenewal }: Renewable): readonly Attempt[] {
  if (!isRenewal) return attempts;
  const own = new Set(attempts.map((_, i) => renewalKeyOf(id, i)));
  return attempts.filter(({ attemptKey }) => attemptKey === null || !own.has(attemptKey));
}

/** The columns that tell whether a stored card is charged for a payment request. */
interface Renewable {
  id: string;
  isRenewal: boolean;
}

/** Whether the attempt that was made last was declined. */
export function isLastDeclined(attempts: readonly Attempt[]): boolean {
  const last = attempts.findLast(({ provider }) => provider !== null);
  return last !== undefined && failureOf(last) === "declined";
}
