// Derives a payment request's status from its transactions, its commands and the time. Nothing else sets a status.
import type {
  DisputeStatus,
  Draft,
  PaymentMethod,
  paymentStatuses,
  TransactionFailure,
  transactionStatuses,
} from "@/db/schema/values";
import { amountChargedBack, amountReturned, type Balanced, balanceOf } from "./disputed";
import { isUsedUp, linkStatus, type Usage } from "./links/usage";
import { type PaymentTotals, totalsOf } from "./totals";

export type PaymentStatus = (typeof paymentStatuses)[number];

/** The columns of an attempt that its payment request's status and amounts follow from. Amounts in minor units. */
export interface Attempt {
  id: string;
  status: (typeof transactionStatuses)[number];
  provider: string | null;
  /** SHA-256 of what made it: a form's one-time token, or the try of a renewal. Null for what was recorded offline. */
  attemptKey: string | null;
  /** What was to be paid. */
  amount: number;
  amountAuthorized: number;
  amountCaptured: number;
  amountReleased: number;
  amountRefunded: number;
  amountDisputed: number;
  disputeStatus: DisputeStatus;
  /** Whether it was made of the customer's credit. */
  usesCredit: boolean;
  /** The part of it that became credit of the customer. */
  amountCredited: number;
  captureBefore: number | null;
  /** The amount of a capture that was decided and not yet confirmed by the provider. */
  captureRequested: number | null;
  failure: TransactionFailure | null;
  actionUrl: string | null;
  /** Epoch ms. */
  settledAt: number | null;
  /** When the money moved, as it was recorded or as the provider says; epoch ms. */
  effectiveAt: number;
  paymentMethod: PaymentMethod | null;
  /** When its money arrived after the end of its payment request, until somebody accepts that; epoch ms. */
  lateAt: number | null;
}

/** Whether the attempt may still take or hold money: it waits for the payer, the provider, or its capture. */
export const isUnderWay = ({ status }: Attempt): boolean =>
  status === "requires_action" || status === "processing" || status === "authorized";

/** A reusable link whose payers choose the amount has none, and asks for nothing itself. */
type Counted = Pick<PaymentTotals, "amountPaid" | "amountWaived"> & { amount: number | null; amountReopened: number };

/** Minor units that are not covered. What a final partial capture released is no longer asked for; what a void released is. */
export const amountMissing = ({ amount, amountReopened, amountPaid, amountWaived }: Counted): number =>
  Math.max(0, (amount ?? 0) + amountReopened - amountPaid - amountWaived);

/** Minor units still to be paid: what is missing, and nothing once the payment request is canceled. */
export const amountDue = (payment: Counted & { canceledAt: number | null }): number =>
  payment.canceledAt === null ? amountMissing(payment) : 0;

/**
 * Minor units that were paid above the amount and have neither been returned nor become credit, which settles them for
 * good. `surplusReturned` is what succeeded refunds gave back of the surplus, and what lost disputes took; refunds from
 * before there was a surplus do not count.
 */
export const amountOverpaid = (payment: Balanced, surplusReturned: number): number =>
  Math.max(0, balanceOf(payment, surplusReturned));

/**
 * Whether the whole amount has been paid or, of a trial, the card is stored. A refund or a dispute changes nothing about
 * that, unlike the status.
 */
export const isPaidUp = (row: Counted & { isTrial: boolean; status: PaymentStatus }): boolean =>
  row.isTrial ? row.status === "paid" : row.amountPaid > 0 && amountMissing(row) === 0;

export interface PaymentFacts {
  amount: number | null;
  /** What was made due again after lost disputes, and what of them nobody has decided about; minor units. */
  amountReopened: number;
  amountLost: number;
  /** Set of a payment request that was not finalized, also once it is canceled. */
  draft: Draft | null;
  canceledAt: number | null;
  /** When so many attempts had failed that its page takes no card. */
  failedAt: number | null;
  expiresAt: number | null;
  /** When it was last extended. An authorization that had lapsed by then no longer ends it. Epoch ms. */
  extendedAt: number | null;
  /** Set of an issued invoice. */
  invoiceNumber: string | null;
  /** Set of a reusable link, which has uses instead of attempts. */
  usage?: Usage | null;
  /** Whether it begins a trial: nothing is due, and its attempts only store a card. */
  isTrial?: boolean;
  attempts: readonly Attempt[];
}

/**
 * Whether the whole amount has been paid, apart from what final partial captures waived; of a link, every place; of a
 * trial, whether the card is stored.
 */
export function isCovered(
  facts: Pick<PaymentFacts, "amount" | "amountReopened" | "attempts" | "usage" | "isTrial">,
): boolean {
  if (facts.usage) return isUsedUp(facts.usage);
  if (facts.isTrial) return facts.attempts.some(({ status }) => status === "succeeded");
  const totals = totalsOf(facts);
  return totals.amountPaid > 0 && amountMissing({ ...facts, ...totals }) === 0;
}

/**
 * The status at `now` (epoch ms). The first rule that applies wins. A payment request that is not paid in full ends
 * when it is canceled or expires: a refund then changes its amounts but not its status. Only if the rest of its money
 * arrives after all does it become paid. One that has failed waits for its money like others, but its page takes no card.
 */
export function derivePaymentStatus(facts: PaymentFacts, now: number): PaymentStatus {
  if (facts.usage) return linkStatus({ ...facts, ...facts.usage }, now);
  const { attempts, amountReopened, amountLost } = facts;
  const { amountPaid, disputeStatus } = totalsOf(facts);
  // What is due again, or was paid again, counts as never paid before. While something is, so does all that was lost.
  const covered = isCovered(facts);
  const lost = amountReopened > 0 && !covered ? amountChargedBack(attempts) : 0;
  const unpaid = Math.max(lost, amountReopened);
  const [kept, returned] = [amountPaid - unpaid, amountReturned(attempts) - unpaid];
  const hasAttempt = (status: Attempt["status"]) => attempts.some((attempt) => attempt.status === status);
  if (!covered) {
    if (facts.canceledAt !== null) return "canceled";
    if (isDraft(facts)) return "draft";
    if (disputeStatus === "open") return "disputed";
    if (attempts.some((attempt) => isOpenHold(attempt, now))) return "authorized";
    if (hasAttempt("processing")) return "processing";
    if (hasExpired(facts, now)) return "expired";
    if (hasAttempt("requires_action")) return "requires_action";
    if (facts.failedAt !== null) return "failed";
  }
  if (disputeStatus === "open" || amountLost > 0) return "disputed";
  if (kept > 0 && returned >= kept) return "refunded";
  if (returned > 0) return "partially_refunded";
  if (covered) return "paid";
  return kept > 0 ? "partially_paid" : "pending";
}

/** Whether it can still be finalized, and nobody can pay it until then. */
export const isDraft = ({ draft, canceledAt }: Pick<PaymentFacts, "draft" | "canceledAt">): boolean =>
  draft !== null && canceledAt === null;

/**
 * Whether the time to pay is over at `now`: the payment request has expired, or its authorization has lapsed since it was
 * last extended.
 */
export const hasExpired = ({ expiresAt, extendedAt, attempts }: PaymentFacts, now: number): boolean =>
  (expiresAt !== null && now >= expiresAt) ||
  attempts.some((attempt) => hasLapsed(attempt, now) && (attempt.captureBefore ?? 0) > (extendedAt ?? 0));

/** Whether the attempt is an authorization hold that can be captured at `now`. */
export const isOpenHold = (attempt: Attempt, now: number): boolean =>
  attempt.status === "authorized" && !hasLapsed(attempt, now);

/** Whether the authorization lapsed before anything was captured. One that was released earlier did not lapse. */
export function hasLapsed(attempt: Attempt, now: number): boolean {
  if (attempt.amountAuthorized === 0 || attempt.amountCaptured > 0 || attempt.captureBefore === null) return false;
  const closedAt = attempt.status === "authorized" ? now : attempt.settledAt;
  return closedAt !== null && closedAt >= attempt.captureBefore;
}

type Stored = {
  status: PaymentStatus;
  expiresAt: number | null;
  captureBefore: number | null;
  disputeStatus: DisputeStatus;
} & Counted;

/** Statuses of a payment request that waits for its payer, although nothing is due of a trial. */
const waiting: readonly PaymentStatus[] = ["pending", "processing", "requires_action", "failed"];

/** Whether the payment request can still expire: it is final, and neither paid nor ended. */
export const mayExpire = (row: Pick<Stored, "status"> & Counted): boolean =>
  (amountMissing(row) > 0 || waiting.includes(row.status)) && !["draft", "canceled", "expired"].includes(row.status);

/** Whether something is due after a refund or a lost dispute. Nothing ends a payment request while a dispute is open. */
const mayEndAfterRefund = (row: Stored): boolean => row.disputeStatus !== "open" && amountMissing(row) > 0;

/** The status at `now` of a stored row: expiry takes effect for every reader at its instant. */
export function statusAt(row: Stored, now: number): PaymentStatus {
  switch (row.status) {
    case "pending":
    case "partially_paid":
    case "requires_action":
    case "failed":
      return row.expiresAt !== null && now >= row.expiresAt ? "expired" : row.status;
    case "partially_refunded":
    case "refunded":
    case "disputed":
      return mayEndAfterRefund(row) && row.expiresAt !== null && now >= row.expiresAt ? "expired" : row.status;
    case "authorized":
      return row.captureBefore !== null && now >= row.captureBefore ? "expired" : row.status;
    default:
      return row.status;
  }
}
