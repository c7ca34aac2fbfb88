// The events of a subscription: each says what it is now, and which status it had before.
import type { WriteContext } from "@/server/kit/context";
import { isoOrNull } from "@/server/process/clock";
import { nextChargeAt } from "./rules";
import type { SubscriptionRow } from "./store";

/** Announces a new subscription (`before` is null) or a change of one. `more` says what else is to be known. */
export function announce(
  ctx: WriteContext,
  type: string,
  before: Pick<SubscriptionRow, "status" | "cancelAtPeriodEnd"> | null,
  after: SubscriptionRow,
  more: Record<string, string | number | null> = {},
): void {
  ctx.emit({
    type: `subscription.${type}`,
    object: after.id,
    accountId: after.accountId,
    organizationId: after.organizationId,
    ...(before === null && { first: true }),
    data: {
      subscription_id: after.id,
      status: after.status,
      previous_status: before?.status ?? null,
      amount: after.amount,
      currency: after.currency,
      cycles_done: after.cyclesDone,
      current_period_end: isoOrNull(after.currentPeriodEnd),
      next_charge_at: isoOrNull(nextChargeAt(after)),
      cancel_at_period_end: after.cancelAtPeriodEnd,
      ...(before !== null &&
        before.cancelAtPeriodEnd !== after.cancelAtPeriodEnd && {
          previous_cancel_at_period_end: before.cancelAtPeriodEnd,
        }),
      end_reason: after.endReason,
      latest_payment_id: after.latestPaymentId,
      livemode: after.livemode,
      ...more,
    },
  });
}
