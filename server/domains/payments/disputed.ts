// What the disputes of a payment request's transactions add up to.
import type { DisputeStatus } from "@/db/schema/values";
import type { Attempt } from "./derive";

/** Of several payments that were disputed, the dispute that matters most: an open one, else one that was lost. */
export const disputeStatusOf = (attempts: readonly Attempt[]): DisputeStatus =>
  (["open", "lost", "won"] as const).find((status) => attempts.some((one) => one.disputeStatus === status)) ?? "none";

/** Minor units that lost disputes took. */
export const amountChargedBack = (attempts: readonly Pick<Attempt, "disputeStatus" | "amountDisputed">[]): number =>
  attempts.reduce((total, one) => total + (one.disputeStatus === "lost" ? one.amountDisputed : 0), 0);

/** Minor units that payers got back: by refunds, or by disputes that were lost. */
export const amountReturned = (attempts: readonly Attempt[]): number =>
  attempts.reduce((total, one) => total + one.amountRefunded, amountChargedBack(attempts));

/** What decides about the balance of a payment request. Amounts in minor units. */
export interface Balanced {
  /** Null for a reusable link whose payers choose it. */
  amount: number | null;
  amountPaid: number;
  amountWaived: number;
  amountCredited: number;
  /** What was made due again after lost disputes, and what was written off. */
  amountReopened: number;
  amountWrittenOff: number;
}

/** Minor units of the amount, and of what is due again, that nobody has paid, whether they are still wanted or not. */
const unpaidOf = (payment: Balanced): number =>
  Math.max(0, (payment.amount ?? 0) + payment.amountReopened - payment.amountPaid - payment.amountWaived);

/**
 * What a payment request received and still waits for, less what it asks for, in minor units. Above zero it is surplus
 * that was neither returned nor became credit. Below zero it is what lost disputes took of its amount, and nobody has
 * decided about. `returned` is what succeeded refunds gave back of a surplus, and what lost disputes took.
 */
export const balanceOf = (payment: Balanced, returned: number): number =>
  payment.amountPaid +
  payment.amountWaived +
  payment.amountWrittenOff +
  unpaidOf(payment) -
  (payment.amount ?? 0) -
  payment.amountCredited -
  returned;

/** What {@link Balanced.amountReopened} becomes when `amount` more is due again. */
export const reopenedWith = (payment: Balanced, amount: number): number =>
  unpaidOf(payment) + amount + payment.amountPaid + payment.amountWaived - (payment.amount ?? 0);
