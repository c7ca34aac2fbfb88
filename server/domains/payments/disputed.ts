// What the disputes of a payment request's transactions add up to.
import type { DisputeStatus } from "@/db/schema/values";
import type { Attempt } from "./derive";

/** Of several payments that were disputed, the dispute that matters most: an open one, else one that was lost. */
export const disputeStatusOf = (attempts: readonly Attempt[]): DisputeStatus =>
  (["open", "lost", "won"] as const).find((status) => attempts.some((one) => one.disputeStatus === status)) ?? "none";

/** Minor units that lost disputes took. */
export const amountLost = (attempts: readonly Pick<Attempt, "disputeStatus" | "amountDisputed">[]): number =>
  attempts.reduce((total, one) => total + (one.disputeStatus === "lost" ? one.amountDisputed : 0), 0);

/** Minor units that payers got back: by refunds, or by disputes that were lost. */
export const amountReturned = (attempts: readonly Attempt[]): number =>
  attempts.reduce((total, one) => total + one.amountRefunded, amountLost(attempts));
