// What a capture may take of a payment request's authorization holds.
import { type Attempt, hasLapsed, isCovered, isOpenHold, type PaymentFacts } from "./derive";
import { isBusy } from "./rules";

/** Why nothing of a payment request can be captured at `now`; null if {@link holdToCapture} finds a hold. */
export function refusalToCapture(facts: PaymentFacts, now: number) {
  const { attempts } = facts;
  if (holdToCapture(facts, now)) return attempts.some(isBusy) ? "payment_processing" : null;
  // Money that was recorded offline was never authorized.
  if (attempts.some(({ provider, amountCaptured }) => provider !== null && amountCaptured > 0))
    return "already_captured";
  return facts.canceledAt === null && attempts.some((attempt) => hasLapsed(attempt, now))
    ? "authorization_expired"
    : "payment_not_capturable";
}

/** The authorization hold that a capture takes at `now`: the oldest open one, while something is due. */
export const holdToCapture = (facts: PaymentFacts, now: number): Attempt | undefined =>
  facts.canceledAt === null && !isCovered(facts)
    ? facts.attempts.find((attempt) => isOpenHold(attempt, now))
    : undefined;
