// Pure rules of payment requests: what may happen to one, its transitions and dates.
import type { Installment } from "@/db/schema/values";
import { dayMs, limits, minuteMs } from "@/server/kit/limits";
import { iso } from "@/server/process/clock";
import {
  type Attempt,
  derivePaymentStatus,
  hasExpired,
  hasLapsed,
  isCovered,
  isDraft,
  isOpenHold,
  isUnderWay,
  type PaymentFacts,
  type PaymentStatus,
} from "./derive";
import { isReusable, isUsedUp, refusalToUse, type Usage } from "./links/usage";

export type { PaymentStatus };

/** The default lifetime of a payment request. Invoices do not expire, they fall due. */
export const defaultExpiryMs = limits.expiryDays.default * dayMs;

/**
 * Why a payment request cannot expire at `at`, seen from `now`; null if it can. Installments must all be due before it
 * does, and it may outlive the last one by as much as another payment request may live.
 */
export function problemWithExpiry(at: number, installments: readonly Installment[] | null, now: number) {
  const last = installments?.at(-1)?.due_at ?? 0;
  const { longest } = limits.expiryDays;
  if (at <= now) return "must be in the future";
  if (at < last) return `must not be before the last installment is due, ${iso(last)}`;
  if (at <= Math.max(now, last) + longest * dayMs) return null;
  return `must be at most ${longest} days from ${last > now ? "the last installment" : "now"}`;
}

/** The statuses after an attempt that ended without money; some money may have been paid, or refunded, before. */
const afterAttempt: readonly PaymentStatus[] = [
  "pending",
  "partially_paid",
  "partially_refunded",
  "refunded",
  "failed",
];

/** What a refund or dispute may still change after what a lost dispute took is due again. */
const afterLoss: readonly PaymentStatus[] = ["partially_refunded", "disputed"];

const ends: readonly PaymentStatus[] = ["canceled", "expired"];

/** What may follow a refund of a payment request that was paid in part: the rest is paid, or it ends. */
const whileDue: readonly PaymentStatus[] = ["requires_action", "processing", "authorized", "failed", ...ends];

/** The statuses that may follow each status. A test checks the event log against this table. */
export const next: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  draft: ["pending", "canceled"],
  // After a lost dispute it can be due again as if nothing had been paid.
  pending: ["requires_action", "processing", "authorized", "partially_paid", "paid", ...afterLoss, ...ends],
  requires_action: ["processing", "authorized", "paid", "disputed", ...afterAttempt, ...ends],
  processing: ["requires_action", "authorized", "paid", "disputed", ...afterAttempt, ...ends],
  authorized: ["paid", "disputed", ...afterAttempt, "canceled", "expired"],
  partially_paid: ["paid", "partially_refunded", "refunded", "disputed", ...whileDue],
  paid: ["partially_refunded", "refunded", "disputed"],
  partially_refunded: ["pending", "paid", "partially_paid", "refunded", "disputed", ...whileDue],
  refunded: ["pending", "paid", "partially_paid", "partially_refunded", "disputed", ...whileDue],
  // A dispute of one part does not stop an attempt for another.
  disputed: ["pending", "paid", "partially_paid", "partially_refunded", "refunded", ...whileDue],
  // Money that arrives after the end is accepted and shown, since the provider has taken it from the payer. If a part
  // had been refunded before, the payment request is then partially refunded.
  // Money that came otherwise, and the stored card of a subscription, count while the page takes no card.
  failed: ["pending", "partially_paid", "paid", "partially_refunded", "refunded", "disputed", ...whileDue],
  canceled: ["paid", "partially_refunded"],
  // An attempt that the payer has confirmed continues after the end. A payment request that was extended, or expired by
  // a clock that was ahead, is open again.
  expired: ["requires_action", "processing", "paid", "disputed", ...afterAttempt, "authorized", "canceled"],
};

/**
 * Why the page of a payment request accepts no payment by card at `now`; null if it accepts one. Too many failed attempts
 * close only this way to pay.
 */
export const refusalToPay = (facts: PaymentFacts, now: number) =>
  refusalToCharge(facts, now) ?? (facts.failedAt === null ? null : "payment_not_payable");

/**
 * Why no card can be charged for a payment request at `now`; null if one can. One that was extended after its
 * authorization lapsed waits until the provider has confirmed the end of the hold.
 */
export const refusalToCharge = (facts: PaymentFacts, now: number) =>
  refusalToRemind(facts, now) ?? (facts.attempts.some(isUnderWay) ? "payment_processing" : null);

/**
 * Why a payment request wants no payment at `now`; null if it wants one. It wants one once it is final, while something
 * is due, no attempt is in progress, and neither a command nor time has ended it. Refunds do not matter: what is due
 * stays due after a refund, and what has ended stays ended.
 */
export const refusalToRemind = (facts: PaymentFacts, now: number) => refusalOfMoney(facts, now, hasExpired(facts, now));

/**
 * Why no money that was received otherwise can be recorded for a payment request at `now`; null if it can. An issued
 * invoice is owed until it is paid or canceled, so time does not matter to it.
 */
export function refusalToRecord(facts: PaymentFacts, now: number) {
  return refusalOfMoney(facts, now, facts.invoiceNumber === null && hasExpired(facts, now));
}

/**
 * Whether less than all that is due can be recorded as one more payment. Each call reads all attempts, so that very many
 * tiny ones would slow down everybody.
 */
export const mayRecordPart = ({ attempts }: Pick<PaymentFacts, "attempts">): boolean =>
  attempts.filter(({ provider }) => provider === null).length < limits.partsOfRequest - 1;

/** Why a payment request accepts no money; `isOver` is whether its time to pay is over. */
function refusalOfMoney(facts: PaymentFacts, now: number, isOver: boolean) {
  if (facts.usage) return isUsedUp(facts.usage) ? "payment_already_paid" : "payment_not_payable";
  if (isCovered(facts)) return "payment_already_paid";
  if (facts.canceledAt !== null || isDraft(facts)) return "payment_not_payable";
  if (facts.attempts.some((attempt) => isBusy(attempt) || isOpenHold(attempt, now))) return "payment_processing";
  if (isOver) return "payment_expired";
  return isDisputed(facts) ? "payment_not_payable" : null;
}

/**
 * Why a payment request cannot be canceled at `now`; null if it can. An open authorization hold is then released. An
 * issued invoice can be canceled as long as it is owed, because only a credit note takes it back.
 */
export function refusalToCancel(facts: PaymentFacts, now: number) {
  if (facts.usage && derivePaymentStatus(facts, now) === "pending") return null;
  if (isDraft(facts)) return null;
  // A capture that is tried after its hold has lapsed may still pay an invoice. Others have expired with the hold.
  const isLate = (attempt: Attempt) => facts.invoiceNumber === null && hasLapsed(attempt, now);
  if (facts.attempts.some((attempt) => isBusy(attempt) && !isLate(attempt))) return "payment_processing";
  const hasEnded = isCovered(facts) || facts.canceledAt !== null;
  // One with an authorization hold does not expire before the hold lapses.
  const hasHold = facts.attempts.some((attempt) => isOpenHold(attempt, now));
  const isOver = hasExpired(facts, now) && !hasHold && facts.invoiceNumber === null;
  return hasEnded || isOver || isDisputed(facts) ? "payment_not_cancelable" : null;
}

/**
 * Why the expiry of a payment request cannot be moved; null if it can. Time is no reason: one that has expired, or whose
 * authorization has lapsed, is reopened.
 */
export function refusalToExtend(facts: PaymentFacts) {
  if (isCovered(facts)) return "payment_already_paid";
  const isOver = facts.draft !== null || facts.canceledAt !== null;
  return isOver || isDisputed(facts) ? "payment_not_extendable" : null;
}

/** What a refusal adds where the payment request is a draft; undefined if the error code says enough. */
export const describeDraft = (row: Pick<PaymentFacts, "draft" | "canceledAt">): string | undefined =>
  isDraft(row) ? "The payment request is a draft: finalize it first." : undefined;

/** What the refusal of money adds where the payment request is a draft or a reusable link. */
export const describeKind = (row: Pick<PaymentFacts, "draft" | "canceledAt"> & Usage): string | undefined =>
  isReusable(row) && !isDraft(row)
    ? "The payment request is a reusable link: only the payment requests of its payers are paid."
    : describeDraft(row);

/** The refusal of money for a payment request of which nothing is ever due. */
export const nothingDueOfTrial = "Nothing is due of a trial: its page only stores the card.";

/**
 * What a refusal of money, by {@link refusalToPay}, adds to its error code, where one code has several reasons;
 * undefined if it says enough.
 */
export function describeUnpayable(
  row: Usage & { isTrial: boolean },
  facts: PaymentFacts,
  refusal: ReturnType<typeof refusalToPay>,
): string | undefined {
  const kind = describeKind({ ...row, ...facts });
  if (kind !== undefined) return kind;
  if (refusal === "payment_processing" && facts.attempts.some(({ status }) => status === "requires_action"))
    return `A payer confirms a payment by card with the bank: it ends at most ${limits.charge.confirmMs / minuteMs} minutes after it began. Try again then.`;
  if (refusal === "payment_already_paid") return row.isTrial ? nothingDueOfTrial : undefined;
  if (refusal !== "payment_not_payable") return undefined;
  if (facts.canceledAt !== null) return "The payment request was canceled.";
  if (facts.attempts.some(({ disputeStatus }) => disputeStatus === "open"))
    return "A payment of it is disputed: nothing more is taken until that has ended.";
  return "Too many payments by card failed: its page takes no card until `allow_cards` is called.";
}

/** Why nobody can be asked to pay it at `now`: its amount or, of a reusable link, one use. Null if somebody can. */
export function refusalToAsk(facts: PaymentFacts, now: number) {
  return facts.usage ? refusalToUse({ ...facts, ...facts.usage, usesReserved: 0 }, now) : refusalToRemind(facts, now);
}

/** Whether a final payment request can still be paid, or its attempt in progress succeed, at `now`. */
export const isOpenToChange = (facts: PaymentFacts, now: number): boolean =>
  facts.draft === null && refusalToExtend(facts) === null && !hasExpired(facts, now);

/** Whether the attempt may take money without a further decision by the merchant, also after its hold has lapsed. */
export const isBusy = (attempt: Attempt): boolean =>
  isUnderWay(attempt) && (attempt.status !== "authorized" || attempt.captureRequested !== null);

const isDisputed = ({ attempts }: PaymentFacts): boolean =>
  attempts.some(({ disputeStatus }) => disputeStatus === "open");

/** Whether the account's pay links can be paid: it is open, and its owner has not been removed. */
export const isAvailable = (account: {
  status: "open" | "closed";
  ownerUserId: string | null;
  orphanedAt: number | null;
}) => account.status === "open" && (account.ownerUserId !== null || account.orphanedAt === null);
