// A request's status as a pure function of its transactions, its commands and the time. Nothing else ever sets one.
import type { TransactionFailure, transactionStatuses } from "@/db/schema/values";
import { mostAttempts, type PaymentStatus } from "./rules";

/** What a transaction of type payment says about its request. Amounts in minor units. */
export interface PaymentPart {
  status: (typeof transactionStatuses)[number];
  provider: string | null;
  amountAuthorized: number;
  amountCaptured: number;
  amountReleased: number;
  amountRefunded: number;
  amountDisputed: number;
  captureBefore: number | null;
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
  /** Let go by a final partial capture. */
  amountWaived: number;
  amountRefunded: number;
  amountDisputed: number;
  attemptCount: number;
}

/** The request's amounts: sums over its transactions. */
export function totalsOf(parts: readonly PaymentPart[]): PaymentTotals {
  const sum = (pick: (part: PaymentPart) => number) => parts.reduce((total, part) => total + pick(part), 0);
  return {
    amountPaid: sum((part) => part.amountCaptured),
    amountAuthorized: sum((part) => part.amountAuthorized),
    amountCapturable: sum((part) => (part.status === "authorized" ? openHold(part) : 0)),
    amountReleased: sum((part) => part.amountReleased),
    amountWaived: sum((part) => (part.amountCaptured > 0 ? part.amountReleased : 0)),
    amountRefunded: sum((part) => part.amountRefunded),
    amountDisputed: sum((part) => part.amountDisputed),
    attemptCount: parts.filter((part) => part.provider !== null).length,
  };
}

const openHold = (part: PaymentPart): number => part.amountAuthorized - part.amountCaptured - part.amountReleased;

/** Minor units still to be paid. What a final partial capture let go is not due any more; what a void let go is. */
export const amountDue = (request: Pick<PaymentTotals, "amountPaid" | "amountWaived"> & { amount: number }): number =>
  Math.max(0, request.amount - request.amountPaid - request.amountWaived);

/** Whether the attempts have used up the payer's chances. A card that can never pay leaves those of other cards. */
export const hasFailed = (parts: readonly PaymentPart[]): boolean =>
  parts.filter((part) => part.provider !== null && part.status === "failed").length >= mostAttempts;

/** The newest decline, for a request that is not on its way to being paid; `parts` come oldest first. */
export function lastErrorOf(status: PaymentStatus, parts: readonly PaymentPart[]): TransactionFailure | null {
  if (status !== "pending" && status !== "partially_paid" && status !== "failed" && status !== "expired") return null;
  const failure = parts.findLast((part) => part.provider !== null)?.failure ?? null;
  return failure && { code: failure.code, message: failure.message };
}

/** Where the payer confirms the attempt under way, for a request that waits for that. */
export const actionUrlOf = (status: PaymentStatus, parts: readonly PaymentPart[]): string | null =>
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

/** The status at `now` (epoch ms), by precedence from the top. */
export function derivePaymentStatus(facts: PaymentFacts, now: number): PaymentStatus {
  const { parts } = facts;
  const { amountPaid, amountRefunded, amountDisputed, amountWaived } = totalsOf(parts);
  const isCovered = amountPaid > 0 && amountDue({ ...facts, amountPaid, amountWaived }) === 0;
  // A request that was ended is paid all the same if its whole money came in later.
  if (!isCovered && facts.canceledAt !== null) return "canceled";
  if (!isCovered && facts.failedAt !== null && !parts.some(isUnderWay)) return "failed";
  if (amountDisputed > 0) return "disputed";
  // Of a request that was paid in part, what is under way says more than what was given back.
  if (!isCovered && parts.some((part) => part.status === "authorized" && !isLapsed(part, now))) return "authorized";
  if (!isCovered && parts.some((part) => part.status === "processing")) return "processing";
  if (amountPaid > 0 && amountRefunded >= amountPaid) return "refunded";
  if (amountRefunded > 0) return "partially_refunded";
  if (isCovered) return "paid";
  if (parts.some((part) => isLapsed(part, now))) return "expired";
  if (facts.expiresAt !== null && now >= facts.expiresAt) return "expired";
  if (parts.some((part) => part.status === "requires_action")) return "requires_action";
  return amountPaid > 0 ? "partially_paid" : "pending";
}

const isUnderWay = ({ status }: PaymentPart): boolean => status === "processing" || status === "authorized";

/** An authorization that ran out of time before anything of it was captured; one that was let go earlier has not. */
function isLapsed(part: PaymentPart, now: number): boolean {
  if (part.amountAuthorized === 0 || part.amountCaptured > 0 || part.captureBefore === null) return false;
  const closedAt = part.status === "authorized" ? now : part.settledAt;
  return closedAt !== null && closedAt >= part.captureBefore;
}

/** What the time has made of a stored status; it takes effect at its instant for every reader. */
export function statusAt(
  row: { status: PaymentStatus; expiresAt: number | null; captureBefore: number | null },
  now: number,
): PaymentStatus {
  switch (row.status) {
    case "pending":
    case "partially_paid":
    case "requires_action":
      return row.expiresAt !== null && now >= row.expiresAt ? "expired" : row.status;
    case "authorized":
      return row.captureBefore !== null && now >= row.captureBefore ? "expired" : row.status;
    default:
      return row.status;
  }
}
