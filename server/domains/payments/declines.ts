// Which failed attempts count against the payers of a page, and when there were so many that it takes no more cards.
import { neverConfirmed, notReceived } from "@/server/domains/providers/provider";
import { hourMs, limits } from "@/server/kit/limits";
import type { Attempt } from "./derive";
import { renewalKeyOf } from "./form-token";

/** How a card failed at the provider: `abandoned` if the payer never confirmed the attempt. */
export type CardFailure = "declined" | "abandoned";

/** How the attempt failed at the provider; null if it did not, or never reached it. */
function failureOf({ provider, status, failure }: Attempt): CardFailure | null {
  if (provider === null || status !== "failed" || failure?.code === notReceived.code) return null;
  return failure?.code === neverConfirmed.code ? "abandoned" : "declined";
}

/** The failures that count at `now`: recent ones, since the merchant last let cards be tried again. Epoch ms. */
function failuresAt(attempts: readonly Attempt[], cardsAllowedAt: number | null, now: number) {
  const since = Math.max(cardsAllowedAt ?? 0, now - limits.failures.countedMs);
  return attempts.filter(({ settledAt }) => (settledAt ?? 0) > since).map(failureOf);
}

/**
 * Whether a page has seen too many failures to take another card, whoever typed them. A part that is paid between does
 * not matter: it is cheap for somebody who tries stolen cards. Confirmations that the payer abandoned say nothing
 * against a card, but each makes work, so there is a bound for them, too.
 */
export function hasFailed(attempts: readonly Attempt[], cardsAllowedAt: number | null, now: number): boolean {
  const failures = failuresAt(attempts, cardsAllowedAt, now);
  const count = (wanted: string) => failures.filter((one) => one === wanted).length;
  return count("declined") >= limits.failures.declined || count("abandoned") >= limits.failures.abandoned;
}

/** Whether enough attempts failed that somebody may have to wait: see `failureThrottles`. */
export const mayBeHeldUp = (
  attempts: readonly Attempt[],
  { cardsAllowedAt, failedAt }: { cardsAllowedAt: number | null; failedAt: number | null },
  now: number,
  perAddress: number,
): boolean =>
  failedAt !== null ||
  failuresAt(attempts, Math.max(cardsAllowedAt ?? 0, now - hourMs), now).filter((one) => one !== null).length >=
    perAddress;

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

/** How the attempt that was made last has failed; null if it has not. */
export function lastFailureOf(attempts: readonly Attempt[]): CardFailure | null {
  const last = attempts.findLast(({ provider }) => provider !== null);
  return last === undefined ? null : failureOf(last);
}
