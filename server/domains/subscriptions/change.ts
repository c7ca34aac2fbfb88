// Writes a change of a subscription that the caller has locked: the row, its event, and the job for what happens next.
import { schedule, unschedule } from "@/server/domains/jobs/queue";
import { forgetLater } from "@/server/domains/payments/methods/forget-later";
import type { WriteContext } from "@/server/kit/context";
import { announce } from "./announce";
import { isLive, nextAct } from "./rules";
import { type SubscriptionRow, updateSubscription } from "./store";

/** Writes the change, announces it by `event`, if one is given, and schedules the next act. */
export async function changeSubscription(
  ctx: WriteContext,
  before: SubscriptionRow,
  change: Partial<SubscriptionRow>,
  event: string | null,
  more: Record<string, string | number | null> = {},
): Promise<SubscriptionRow> {
  const updatedAt = Math.max(ctx.now, before.updatedAt + 1);
  const isPaused = (change.status ?? before.status) === "paused";
  const after = await updateSubscription(ctx.db, before.id, {
    ...change,
    ...(!isPaused && { pauseReason: null }),
    updatedAt,
  });
  if (event !== null) announce(ctx, event, before, after, more);
  for (const id of unusedCards(before, after)) await forgetLater(ctx, { id, organizationId: after.organizationId });
  await scheduleNext(ctx, after);
  return after;
}

/** The cards that the subscription no longer charges: one that was replaced, and the last one after its end. */
function unusedCards(before: SubscriptionRow, after: SubscriptionRow): string[] {
  const replaced = before.methodId === after.methodId ? null : before.methodId;
  const last = isLive(after) ? null : after.methodId;
  return [replaced, last].filter((id) => id !== null);
}

/** Schedules the job for what happens next, at its instant. */
export async function scheduleNext(ctx: WriteContext, row: SubscriptionRow): Promise<void> {
  const next = nextAct(row, ctx.now);
  if (next === null) return unschedule(ctx, "subscriptions.run", row.id);
  const { id: objectId, organizationId } = row;
  await schedule(ctx, { kind: "subscriptions.run", organizationId, objectId, dueAt: next.at });
}
