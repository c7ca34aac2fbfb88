// Derives a payment request's status from its transactions, its commands and the time. Nothing else sets a status.
import type { paymentStatuses, TransactionFailure, transactionStatuses } from "@/db/schema/values";
import { notReceived } from "@/server/domains/providers/provider";
import { limits } from "@/server/kit/limits";

export type PaymentStatus = (typeof paymentStatuses)[number];

/** The columns of an attempt that decide about its payment request. Amounts in minor units. */
export interface PaymentPart {
  id: string;
  status: (typeof transactionStatuses)[number];
  provider: string | null;
  amountAuthorized: number;
  amountCaptured: number;
  amountReleased: number;
  amountRefunded: number;
  amountDisputed: number;
  captureBefore: number | null;
  /** The amount of a capture that was decided and not yet confirmed by the provider. */
  captureRequested: number | null;
  failure: TransactionFailure | null;
  actionUrl: string | null;
  /** Epoch ms. */
  settledAt: number | null;
}

export interface PaymentTotals {
  amountPaid: number;
  amountAuthorized: number;
  amountCapturable: number;
  amountReleased: number;
  /** The part of the amount due that final partial captures released. */
  amountWaived: number;
  amountRefunded: number;
  amountDisputed: number;
  attemptCount: number;
}

/** The payment request's amounts: sums over its transactions. */
export function totalsOf({ amount, parts }: Pick<PaymentFacts, "amount" | "parts">): PaymentTotals {
  const sum = (pick: (part: PaymentPart) => number) => parts.reduce((total, part) => total + pick(part), 0);
  return {
    amountPaid: sum((part) => part.amountCaptured),
    amountAuthorized: sum((part) => part.amountAuthorized),
    amountCapturable: sum((part) => (part.status === "authorized" ? openHold(part) : 0)),
    amountReleased: sum((part) => part.amountReleased),
    amountWaived: waivedOf(amount, parts),
    amountRefunded: sum((part) => part.amountRefunded),
    amountDisputed: sum((part) => part.amountDisputed),
    attemptCount: parts.filter((part) => part.provider !== null).length,
  };
}

/**
 * Payments count in the order in which their money arrived. An authorization may exceed what is due when it is captured
 * (an older version made it, or a late charge came first). What it releases above the amount due is not waived.
 */
function waivedOf(amount: number, parts: readonly PaymentPart[]): number {
  let [due, waived] = [amount, 0];
  for (const { amountCaptured, amountReleased } of parts.filter((part) => part.amountCaptured > 0).sort(byArrival)) {
    due -= amountCaptured;
    const released = Math.max(0, Math.min(amountReleased, due));
    due -= released;
    waived += released;
  }
  return waived;
}

const byArrival = (a: PaymentPart, b: PaymentPart): number =>
  (a.settledAt ?? 0) - (b.settledAt ?? 0) || (a.id < b.id ? -1 : 1);

export const openHold = (part: PaymentPart): number =>
  part.amountAuthorized - part.amountCaptured - part.amountReleased;

/** Whether the attempt may still take or hold money: it waits for the payer, the provider, or its capture. */
export const isUnderWay = ({ status }: PaymentPart): boolean =>
  status === "requires_action" || status === "processing" || status === "authorized";

/**
 * Minor units still to be paid. What a final partial capture released is no longer due; what a void released still is
 * due.
 */
export const amountDue = (payment: Pick<PaymentTotals, "amountPaid" | "amountWaived"> & { amount: number }): number =>
  Math.max(0, payment.amount - payment.amountPaid - payment.amountWaived);

/**
 * Minor units that were paid above the amount and have not been refunded. `surplusRefunded` is what succeeded refunds
 * gave back of the surplus; refunds from before there was a surplus do not count.
 */
export const amountOverpaid = (
  payment: Pick<PaymentTotals, "amountPaid" | "amountWaived"> & { amount: number },
  surplusRefunded: number,
): number => Math.max(0, payment.amountPaid + payment.amountWaived - payment.amount - surplusRefunded);

/** Whether declines have used up all attempts. An attempt that never reached its provider does not count. */
export const hasFailed = (parts: readonly PaymentPart[]): boolean =>
  parts.filter((part) => part.provider !== null && part.status === "failed" && part.failure?.code !== notReceived.code)
    .length >= limits.paymentAttempts;

const waiting: readonly PaymentStatus[] = ["pending", "partially_paid", "partially_refunded", "refunded"];

/**
 * The failure of the last card attempt, while the payment request waits for money or after it failed or expired unpaid.
 * `parts` come oldest first.
 */
export function lastErrorOf(status: PaymentStatus, facts: PaymentFacts): TransactionFailure | null {
  if (isCovered(facts) || !(waiting.includes(status) || status === "failed" || status === "expired")) return null;
  const failure = facts.parts.findLast((part) => part.provider !== null)?.failure ?? null;
  return failure && { code: failure.code, message: failure.message };
}

/** The page on which the payer confirms the attempt in progress; null if no confirmation is awaited. */
export const actionUrlOf = (
  status: PaymentStatus | "open" | "unavailable",
  parts: readonly PaymentPart[],
): string | null =>
  status === "requires_action"
    ? (parts.findLast((part) => part.status === "requires_action")?.actionUrl ?? null)
    : null;

export interface PaymentFacts {
  amount: number;
  canceledAt: number | null;
  failedAt: number | null;
  expiresAt: number | null;
  parts: readonly PaymentPart[];
}

/** Whether the whole amount has been paid, apart from what final partial captures waived. */
export function isCovered(facts: Pick<PaymentFacts, "amount" | "parts">): boolean {
  const totals = totalsOf(facts);
  return totals.amountPaid > 0 && amountDue({ ...totals, amount: facts.amount }) === 0;
}

/**
 * The status at `now` (epoch ms). The first rule that applies wins. A payment request that is not paid in full ends for
 * good when it is canceled, fails or expires: a refund then changes its amounts but not its status. If the rest of its
 * money arrives after all, it is paid.
 */
export function derivePaymentStatus(facts: PaymentFacts, now: number): PaymentStatus {
  const { parts } = facts;
  const { amountPaid, amountRefunded, amountDisputed } = totalsOf(facts);
  const hasPart = (status: PaymentPart["status"]) => parts.some((part) => part.status === status);
  if (!isCovered(facts)) {
    if (facts.canceledAt !== null) return "canceled";
    if (isFinallyFailed(facts)) return "failed";
    if (amountDisputed > 0) return "disputed";
    if (parts.some((part) => isOpenHold(part, now))) return "authorized";
    if (hasPart("processing")) return "processing";
    if (hasExpired(facts, now)) return "expired";
    if (hasPart("requires_action")) return "requires_action";
  }
  if (amountDisputed > 0) return "disputed";
  if (amountPaid > 0 && amountRefunded >= amountPaid) return "refunded";
  if (amountRefunded > 0) return "partially_refunded";
  if (isCovered(facts)) return "paid";
  return amountPaid > 0 ? "partially_paid" : "pending";
}

/** Whether all attempts are used up and none of them is still in progress. */
export const isFinallyFailed = ({ failedAt, parts }: PaymentFacts): boolean =>
  failedAt !== null && !parts.some(isUnderWay);

/** Whether the time to pay is over at `now`: the payment request has expired, or its authorization has lapsed. */
export const hasExpired = ({ expiresAt, parts }: PaymentFacts, now: number): boolean =>
  (expiresAt !== null && now >= expiresAt) || parts.some((part) => hasLapsed(part, now));

/** Whether the part is an authorization hold that can be captured at `now`. */
export const isOpenHold = (part: PaymentPart, now: number): boolean =>
  part.status === "authorized" && !hasLapsed(part, now);

/** Whether the authorization lapsed before anything was captured. One that was released earlier did not lapse. */
export function hasLapsed(part: PaymentPart, now: number): boolean {
  if (part.amountAuthorized === 0 || part.amountCaptured > 0 || part.captureBefore === null) return false;
  const closedAt = part.status === "authorized" ? now : part.settledAt;
  return closedAt !== null && closedAt >= part.captureBefore;
}

/** When the payment request's last open authorization lapses; null without one. */
export function captureBeforeOf(parts: readonly PaymentPart[]): number | null {
  const ends = parts.flatMap(({ status, captureBefore }) =>
    status === "authorized" && captureBefore !== null ? [captureBefore] : [],
  );
  return ends.length > 0 ? Math.max(...ends) : null;
}

type Stored = { status: PaymentStatus; expiresAt: number | null; captureBefore: number | null } & Parameters<
  typeof amountDue
>[0];

/** Whether the payment request can still expire: it is neither paid nor ended. */
export const mayExpire = (row: Pick<Stored, "status"> & Parameters<typeof amountDue>[0]): boolean =>
  amountDue(row) > 0 && !["canceled", "failed", "expired"].includes(row.status);

/** The status at `now` of a stored row: expiry takes effect for every reader at its instant. */
export function statusAt(row: Stored, now: number): PaymentStatus {
  switch (row.status) {
    case "pending":
    case "partially_paid":
    case "requires_action":
      return row.expiresAt !== null && now >= row.expiresAt ? "expired" : row.status;
    case "partially_refunded":
    case "refunded":
      return row.expiresAt !== null && now >= row.expiresAt && amountDue(row) > 0 ? "expired" : row.status;
    case "authorized":
      return row.captureBefore !== null && now >= row.captureBefore ? "expired" : row.status;
    default:
      return row.status;
  }
}

/**
 * Whether money that arrives at `now` arrives after the end of the payment request, given its row from before. An
 * attempt in processing keeps a payment request from expiring, but its money is late once the time to pay is over.
 */
export const hadEnded = (row: Stored, now: number): boolean =>
  ["canceled", "failed", "expired"].includes(statusAt(row, now)) ||
  (row.status === "processing" && row.expiresAt !== null && now >= row.expiresAt);
