// Ends a subscription, and cancels the payment request that is still open.
import { LostRace } from "@/db/errors";
import { factsOf } from "@/server/domains/payments/facts";
import { refreshPayment } from "@/server/domains/payments/refresh";
import { refusalToCancel } from "@/server/domains/payments/rules";
import { lockPayment, readPayment } from "@/server/domains/payments/store";
import type { WriteContext } from "@/server/kit/context";
import { changeSubscription } from "./change";
import { mailEnded } from "./mails";
import { readSubscription, type SubscriptionRow } from "./store";

/** Locks a subscription with its newest payment request, which an end cancels. Undefined for an unknown one. */
export async function lockWithLatest(ctx: WriteContext, id: string): Promise<SubscriptionRow | undefined> {
  const seen = await readSubscription(ctx.db, id);
  if (!seen) return undefined;
  await lockPayment(ctx.db, seen.latestPaymentId);
  const row = await readSubscription(ctx.db, id);
  if (row && row.latestPaymentId !== seen.latestPaymentId) throw new LostRace(new Error("Another period has begun."));
  return row;
}

const nothingNext = { nextChargeAt: null, resumeAt: null, failedAt: null, retries: 0, retryAt: null };

/**
 * Ends a subscription that {@link lockWithLatest} has locked: by a command, because its account is closed, or at the end
 * of its period.
 */
export async function cancelNow(ctx: WriteContext, row: SubscriptionRow): Promise<SubscriptionRow> {
  const change = { ...nothingNext, status: "canceled" as const, canceledAt: ctx.now, endedAt: ctx.now };
  const after = await changeSubscription(ctx, row, change, "canceled");
  await cancelOpen(ctx, after);
  // Who canceled it at the end of the period has told the customer when that is.
  const wasTold = row.cancelAtPeriodEnd && (row.currentPeriodEnd ?? ctx.now) <= ctx.now;
  if (row.status !== "incomplete" && !wasTold) await mailEnded(ctx, after, "canceled");
  return after;
}

const ends = { payment_failed: "paymentFailed", completed: "completed" } as const;

/** Ends a subscription by itself. The caller has locked it, and its newest payment request if it failed. */
export async function endItself(
  ctx: WriteContext,
  row: SubscriptionRow,
  endReason: NonNullable<SubscriptionRow["endReason"]>,
): Promise<SubscriptionRow> {
  const change = { ...nothingNext, status: "ended" as const, endedAt: ctx.now, endReason };
  const after = await changeSubscription(ctx, row, change, "ended");
  if (endReason === "payment_failed") await cancelOpen(ctx, after);
  // Of an incomplete one, the customer had nothing yet.
  if (endReason !== "incomplete") await mailEnded(ctx, after, ends[endReason]);
  return after;
}

/**
 * Nobody is asked to pay for a subscription that is over. An attempt under way is settled, and its money stays, as late.
 */
async function cancelOpen(ctx: WriteContext, { latestPaymentId: id }: SubscriptionRow): Promise<void> {
  const payment = await readPayment(ctx.db, id);
  if (!payment || payment.canceledAt !== null) return;
  const refusal = refusalToCancel(await factsOf(ctx.db, payment), ctx.now);
  if (refusal === null || refusal === "payment_processing") await refreshPayment(ctx, id, { canceledAt: ctx.now });
}
