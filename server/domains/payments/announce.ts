// The events of a payment request: each says what it is now, and which status it had before.
import type { WriteContext } from "@/server/kit/context";
import type { PaymentRow } from "./store";

/** Announces a new payment request (`before` is null) or a change of one. `more` says what else is to be known. */
export function announce(
  ctx: WriteContext,
  type: string,
  before: PaymentRow | null,
  after: PaymentRow,
  more: Record<string, string | number | readonly string[]> = {},
): void {
  ctx.emit({
    type,
    object: after.id,
    accountId: after.accountId,
    organizationId: after.organizationId,
    ...(before === null && { first: true }),
    data: {
      payment_id: after.id,
      status: after.status,
      previous_status: before?.status ?? null,
      amount: after.amount,
      currency: after.currency,
      amount_paid: after.amountPaid,
      amount_refunded: after.amountRefunded,
      amount_disputed: after.amountDisputed,
      dispute_status: after.disputeStatus,
      amount_lost: after.amountLost,
      amount_overpaid: after.amountOverpaid,
      amount_credited: after.amountCredited,
      livemode: after.livemode,
      ...more,
    },
  });
}
