// The end of a pause: by a caller, or at the time that the caller named.
import type { WriteContext } from "@/server/kit/context";
import { changeSubscription } from "./change";
import { pausedUntil } from "./rules";
import type { SubscriptionRow } from "./store";

/**
 * Resumes a paused subscription that the caller has locked. Its periods begin as if it had not paused, but none that began
 * during the pause is charged, while those before it are, as after any missed time. The pause ends at `resumeAt`, however
 * late the job is. A renewal that is not paid is tried again, at once if its time came during the pause.
 */
export const resumed = (ctx: WriteContext, row: SubscriptionRow): Promise<SubscriptionRow> => {
  const status = row.failedAt === null ? "active" : "past_due";
  const end = Math.min(ctx.now, row.resumeAt ?? ctx.now);
  return changeSubscription(ctx, row, { status, resumeAt: null, ...pausedUntil(row, end) }, "resumed");
};
