// The end of a pause: by a caller, or at the time that the caller named.
import type { WriteContext } from "@/server/kit/context";
import { changeSubscription } from "./change";
import { goOnAt } from "./rules";
import type { SubscriptionRow } from "./store";

/**
 * Resumes a paused subscription that the caller has locked. Its periods begin as if it had not paused, but none that began
 * during the pause is charged. A renewal that is not paid is tried again, at once if its time came during the pause.
 */
export const resumed = (ctx: WriteContext, row: SubscriptionRow): Promise<SubscriptionRow> =>
  changeSubscription(
    ctx,
    row,
    { status: row.failedAt === null ? "active" : "past_due", resumeAt: null, ...goOnAt(row, ctx.now) },
    "resumed",
  );
