// A request's status as a pure function of its transactions, its commands and the time. Nothing else ever sets one.
import type { paymentStatuses, TransactionFailure, transactionStatuses } from "@/db/schema/values";
import { notReceived } from "@/server/domains/providers/provider";
import { limits } from "@/server/kit/limits";

export type PaymentStatus = (typeof paymentStatuses)[number];

/** What a transaction of type payment says about its request. Amounts in minor units. */
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
  /** A capture that was decided and that the provider has not confirmed yet. */
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
  /** Of what was due, what final partial captures have released. */
  amountWaived: number;
  amountRefunded: number;
  amountDisputed: number;
  attemptCount: number;
}

/** The request's amounts: sums over its transactions. */
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
 * Payments count in the order in which their money came. An authorization may be larger than what is due by then, if
 * an older version made it or a late charge came before its capture: what it releases beyond that was not due.
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

/** Whether the attempt may still take or hold money: it waits for its payer, its provider, or its capture. */
export const isUnderWay = ({ status }: PaymentPart): boolean =>
  status === "requires_action" || status === "processing" || status === "authorized";

/** Minor units still to be paid. What a final partial capture released is not due any more; what a void released is. */
export const amountDue = (request: Pick<PaymentTotals, "amountPaid" | "amountWaived"> & { amount: number }): number =>
  Math.max(0, request.amount - request.amountPaid - request.amountWaived);

/**
 * Minor units that were paid above the amount and have not been refunded; `surplusRefunded` is what succeeded refunds
 * gave back of them. Refunds made before there was a surplus are none of it.
 */
export const amountOverpaid = (
  request: Pick<PaymentTotals, "amountPaid" | "amountWaived"> & { amount: number },
  surplusRefunded: number,
): number => Math.max(0, request.amountPaid + request.amountWaived - request.amount - surplusRefunded);

/** Whether declines have used up the payer's chances; an attempt that never reached its provider is none. A card that can never pay leaves those of other cards. */
export const hasFailed = (parts: readonly PaymentPart[]): boolean =>
  parts.filter((part) => part.provider !== null && part.status === "failed" && part.failure?.code !== notReceived.code)
    .length >= limits.paymentAttempts;

const waiting: readonly PaymentStatus[] = ["pending", "partially_paid", "partially_refunded", "refunded"];

/** The newest decline, for a request that waits for its money or has ended without; its parts come oldest first. */
export function lastErrorOf(status: PaymentStatus, facts: PaymentFacts): TransactionFailure | null {
  if (isCovered(facts) || !(waiting.includes(status) || status === "failed" || status === "expired")) return null;
  const failure = facts.parts.findLast((part) => part.provider !== null)?.failure ?? null;
  return failure && { code: failure.code, message: failure.message };
}

/** Where the payer confirms the attempt under way, for a request that waits for that. */
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

/** Whether all of the amount has been paid, apart from what a final partial capture waived. */
export function isCovered(facts: Pick<PaymentFacts, "amount" | "parts">): boolean {
  const totals = totalsOf(facts);
  return totals.amountPaid > 0 && amountDue({ ...totals, amount: facts.amount }) === 0;
}

/**
 * The status at `now` (epoch ms), by precedence from the top. A request that is not paid in full ends once and for all
 * when it is canceled, fails or expires: a refund then changes its amounts and not its status. If the rest of its money
 * arrives after all, it is paid.
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

/** Whether the payer's chances are used up, and the provider is not still at work on one of them. */
export const isFinallyFailed = ({ failedAt, parts }: PaymentFacts): boolean =>
  failedAt !== null && !parts.some(isUnderWay);

/** Whether the time to pay is over at `now`: the request's own, or that of an authorization nobody captured. */
export const hasExpired = ({ expiresAt, parts }: PaymentFacts, now: number): boolean =>
  (expiresAt !== null && now >= expiresAt) || parts.some((part) => hasLapsed(part, now));

/** Whether the part is an authorization that can be captured at `now`. */
export const isOpenHold = (part: PaymentPart, now: number): boolean =>
  part.status === "authorized" && !hasLapsed(part, now);

/** Whether the authorization ran out of time before anything was captured; one released earlier did not. */
export function hasLapsed(part: PaymentPart, now: number): boolean {
  if (part.amountAuthorized === 0 || part.amountCaptured > 0 || part.captureBefore === null) return false;
  const closedAt = part.status === "authorized" ? now : part.settledAt;
  return closedAt !== null && closedAt >= part.captureBefore;
}

/** The instant at which the request's last open authorization lapses; null without one. */
export function captureBeforeOf(parts: readonly PaymentPart[]): number | null {
  const ends = parts.flatMap(({ status, captureBefore }) =>
    status === "authorized" && captureBefore !== null ? [captureBefore] : [],
  );
  return ends.length > 0 ? Math.max(...ends) : null;
}

type Stored = { status: PaymentStatus; expiresAt: number | null; captureBefore: number | null } & Parameters<
  typeof amountDue
>[0];

/** Whether the request's own end can still change anything: it is neither paid nor over. */
export const mayExpire = (row: Pick<Stored, "status"> & Parameters<typeof amountDue>[0]): boolean =>
  amountDue(row) > 0 && !["canceled", "failed", "expired"].includes(row.status);

/** What the time has made of a stored status; it takes effect at its instant for every reader. */
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
 * Whether money that comes at `now` comes after the request's end, as it was stored before. An attempt that the provider
 * is still at work on keeps a request from expiring, but its money is late all the same once the time to pay is over.
 */
export const hadEnded = (row: Stored, now: number): boolean =>
  ["canceled", "failed", "expired"].includes(statusAt(row, now)) ||
  (row.status === "processing" && row.expiresAt !== null && now >= row.expiresAt);
