// A renewal that was not paid: plans the next retry, tells the customer, and ends the subscription after the last one.
import type { TransactionFailure } from "@/db/schema/values";
import type { PaymentRow } from "@/server/domains/payments/store";
import { isHardDecline } from "@/server/domains/providers/provider";
import type { WriteContext } from "@/server/kit/context";
import { daysAfter } from "@/server/kit/local-time";
import { changeSubscription } from "./change";
import { endItself } from "./end";
import { mailRenewalFailed } from "./mails";
import { retryDays } from "./rules";
import type { SubscriptionRow } from "./store";
import { hasOtherCardSince } from "./use-card";

/**
 * Records that the open renewal was not paid by the stored card, or that there is none to charge. Its page stays open
 * until the last retry; the customer is mailed the link each time, except during a pause. Payment request and subscription
 * are locked. `chargeId` is the charge; null if there was none to make.
 */
export async function renewalFailed(
  ctx: WriteContext,
  row: SubscriptionRow,
  payment: PaymentRow,
  failure: TransactionFailure | null,
  chargeId: string | null = null,
): Promise<void> {
  const isFirst = row.failedAt === null;
  const failedAt = row.failedAt ?? ctx.now;
  const next = nextRetry({ failedAt, timezone: row.timezone, after: isFirst ? -1 : row.retries, now: ctx.now });
  const isRefused = chargeId !== null && isHardDecline(failure) && !(await hasOtherCardSince(ctx, row, chargeId));
  const isMethodRefused = row.isMethodRefused || isRefused;
  const more = { payment_id: payment.id, failure_code: failure?.code ?? null };
  if (next === null) {
    const change = { status: "past_due", attemptId: null, failedAt, isMethodRefused } as const;
    await endItself(ctx, await changeSubscription(ctx, row, change, null), "payment_failed");
    return;
  }
  const isPaused = row.status === "paused";
  const status = isPaused ? "paused" : "past_due";
  // While it is not paid, no period begins, nor for that time.
  const { pausedCycles } = isPaused ? { pausedCycles: null } : row;
  const change = { status, attemptId: null, failedAt, isMethodRefused, pausedCycles, ...next } as const;
  const after = await changeSubscription(ctx, row, change, isFirst && !isPaused ? "past_due" : "updated", more);
  if (!isPaused) await mailRenewalFailed(ctx, after, payment);
}

interface Failing {
  failedAt: number;
  timezone: string;
  /** The number of the retry that failed; -1 if it was the renewal itself. */
  after: number;
  now: number;
}

/**
 * The next retry, and when it is made; null after the last one. If its date has passed, because no worker ran or during a
 * pause, it is made as many days from now as lie between the two dates, so that no try is lost.
 */
function nextRetry({ failedAt, timezone, after, now }: Failing): { retries: number; retryAt: number } | null {
  const retries = after + 1;
  const [day, before] = [retryDays[retries], retryDays[after] ?? 0];
  if (day === undefined) return null;
  const planned = daysAfter(failedAt, day, timezone);
  return { retries, retryAt: planned > now ? planned : daysAfter(now, day - before, timezone) };
}
