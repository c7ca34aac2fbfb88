// Adds up the transactions of a payment request, in the order in which their money arrived.
import type { DisputeStatus } from "@/db/schema/values";
import type { Attempt, PaymentFacts } from "./derive";
import { amountChargedBack, disputeStatusOf } from "./disputed";

export interface PaymentTotals {
  amountPaid: number;
  amountAuthorized: number;
  amountCapturable: number;
  amountReleased: number;
  /** The part of the amount due that final partial captures released. */
  amountWaived: number;
  amountRefunded: number;
  amountDisputed: number;
  disputeStatus: DisputeStatus;
  amountCredited: number;
  attemptCount: number;
}

/** The payment request's amounts: sums over its transactions. */
export function totalsOf({
  amount,
  amountReopened,
  attempts,
  isTrial,
}: Pick<PaymentFacts, "amount" | "amountReopened" | "attempts" | "isTrial">): PaymentTotals {
  const asked = amount ?? 0;
  const sum = (pick: (attempt: Attempt) => number) => attempts.reduce((total, attempt) => total + pick(attempt), 0);
  return {
    amountPaid: sum((attempt) => attempt.amountCaptured),
    amountAuthorized: sum((attempt) => attempt.amountAuthorized),
    amountCapturable: sum((attempt) => (attempt.status === "authorized" ? openHold(attempt) : 0)),
    amountReleased: sum((attempt) => attempt.amountReleased),
    amountWaived: isTrial ? asked : waivedOf(asked + amountReopened, attempts),
    amountRefunded: sum((attempt) => attempt.amountRefunded),
    amountDisputed: sum((attempt) => attempt.amountDisputed),
    disputeStatus: disputeStatusOf(attempts),
    amountCredited: sum((attempt) => attempt.amountCredited),
    attemptCount: attempts.filter((attempt) => attempt.provider !== null).length,
  };
}

/**
 * What final partial captures released of the amount due, in the order in which their money arrived. An authorization
 * may exceed what is due when it is captured, if a late charge came first. What it releases above the amount due is not
 * waived.
 */
function waivedOf(amount: number, attempts: readonly Attempt[]): number {
  let [due, waived] = [amount, 0];
  for (const { amountCaptured, amountReleased } of arrivedOf(attempts)) {
    due -= amountCaptured;
    const released = Math.max(0, Math.min(amountReleased, due));
    due -= released;
    waived += released;
  }
  return waived;
}

const byArrival = (a: Attempt, b: Attempt): number => (a.settledAt ?? 0) - (b.settledAt ?? 0) || (a.id < b.id ? -1 : 1);

/** The attempts of which money has arrived, in that order. */
export const arrivedOf = (attempts: readonly Attempt[]): Attempt[] =>
  attempts.filter(({ amountCaptured }) => amountCaptured > 0).sort(byArrival);

/** The attempt whose money arrived last; undefined if no money has. */
export const lastPaid = (attempts: readonly Attempt[]): Attempt | undefined => arrivedOf(attempts).at(-1);

/**
 * When the last of the money arrived that no lost dispute took back; epoch ms. It is `now` of a trial, where none has
 * arrived.
 */
export function paidUpAt(attempts: readonly Attempt[], now: number): number {
  const kept = arrivedOf(attempts).filter((one) => one.amountCaptured > amountChargedBack([one]));
  const last = Math.max(...kept.map(({ effectiveAt }) => effectiveAt));
  return Number.isFinite(last) ? last : now;
}

/** What the attempt's authorization still holds, in minor units: neither captured nor released. */
export const openHold = (attempt: Pick<Attempt, "amountAuthorized" | "amountCaptured" | "amountReleased">): number =>
  attempt.amountAuthorized - attempt.amountCaptured - attempt.amountReleased;
