// A subscription waits once a dispute has taken a payment of it back: its customer does not want to be charged.
import { organizationById } from "@/server/domains/organizations/organization";
import type { PaymentRow } from "@/server/domains/payments/store";
import type { WriteContext } from "@/server/kit/context";
import { changeSubscription } from "./change";
import { isLive, pausedFrom } from "./rules";
import { readSubscription } from "./store";

const pauseReason = "dispute_lost";

/**
 * Pauses the subscription of a payment request, which the caller has locked with it, if a dispute has just taken money of
 * it back and the organization does not charge the card on. A pause for some days has no end then. A dispute that is lost
 * cannot be won any more, so only a caller resumes it.
 */
export async function awaitDecision(ctx: WriteContext, before: PaymentRow, after: PaymentRow): Promise<void> {
  if (after.subscriptionId === null || after.amountLost <= before.amountLost) return;
  const row = await readSubscription(ctx.db, after.subscriptionId);
  if (!row || !isLive(row) || row.status === "incomplete" || row.pauseReason !== null) return;
  const { afterLostDispute } = await organizationById(ctx.db, row.organizationId);
  if (afterLostDispute === "continue") return;
  const more = { reason: pauseReason, payment_id: after.id };
  if (row.status === "paused") {
    await changeSubscription(ctx, row, { resumeAt: null, pauseReason }, "updated", more);
  } else {
    const pause = { status: "paused", resumeAt: null, pauseReason, ...pausedFrom(row, ctx.now) } as const;
    await changeSubscription(ctx, row, pause, "paused", more);
  }
}
