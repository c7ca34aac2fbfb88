// After a restore: pauses what is due, because it may have been charged since the backup and nobody here knows.
import { inTimeOf } from "@/server/domains/organizations/time";
import { lockPayments } from "@/server/domains/payments/store";
import type { WriteContext } from "@/server/kit/context";
import { changeSubscription } from "./change";
import { dueToCharge, readSubscription } from "./store";

const pauseReason = "database_restored";

/** Pauses up to `limit` subscriptions of an organization whose next charge is due. Resolves to their number. */
export async function pauseDue(call: WriteContext, organizationId: string, limit: number): Promise<number> {
  const ctx = await inTimeOf(call, organizationId);
  const due = await dueToCharge(ctx.db, organizationId, ctx.now, limit);
  await lockPayments(
    ctx.db,
    due.map(({ latestPaymentId }) => latestPaymentId),
  );
  for (const { id } of due) {
    const row = await readSubscription(ctx.db, id);
    if (!row) continue;
    const change = { status: "paused", resumeAt: null, pausedCycles: null, pauseReason } as const;
    await changeSubscription(ctx, row, change, "paused", { reason: pauseReason });
  }
  return due.length;
}
