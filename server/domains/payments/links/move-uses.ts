// Moves the expiry of a link's unpaid uses with that of the link, so that a declined payer can go on after an extension:
// a bounded number at once, the rest in a job. Uses whose expiry was changed alone stay as they are.
import { schedule } from "@/server/domains/jobs/queue";
import type { Later } from "@/server/domains/jobs/runner";
import { inBackground } from "@/server/domains/records/in-background";
import type { WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { recordTime, refreshPayment } from "../refresh";
import { lockPayment, type PaymentRow, readPayment } from "../store";
import { isReusable } from "./usage";
import { lockOtherExpiry } from "./uses-store";

const task = "payments.move_uses";

/** Moves the first unpaid uses of a link, which the caller has locked, and schedules the rest; does nothing for others. */
export async function moveUses(ctx: WriteContext, link: PaymentRow): Promise<void> {
  if (!isReusable(link) || (await moveBatch(ctx, link)) < limits.batch.cancel) return;
  await schedule(ctx, { kind: task, organizationId: link.organizationId, objectId: link.id, dueAt: ctx.now });
}

/** Moves one batch; returns how many. */
async function moveBatch(ctx: WriteContext, { id: linkId, expiresAt }: PaymentRow): Promise<number> {
  if (expiresAt === null) return 0;
  const ids = await lockOtherExpiry(ctx.db, { linkId, expiresAt, limit: limits.batch.cancel });
  for (const id of ids) {
    const use = await readPayment(ctx.db, id);
    // Announces the expiry before undoing it.
    if (use) await recordTime(ctx, use);
    await refreshPayment(ctx, id, { expiresAt });
  }
  return ids.length;
}

/** The job: moves the remaining unpaid uses of a link, batch by batch. Idempotent. */
export async function moveRestOfUses(runtime: Runtime, linkId: string): Promise<Later | undefined> {
  for (let batch = 0; batch < limits.batch.cancelRuns; batch++) {
    const count = await inBackground(runtime, task, async (ctx) => {
      const link = await lockPayment(ctx.db, linkId);
      if (!link || link.canceledAt !== null) return 0;
      const moved_uses = await moveBatch(ctx, link);
      if (moved_uses > 0) ctx.audit({ target: linkId, organizationId: link.organizationId, detail: { moved_uses } });
      return moved_uses;
    });
    if (count < limits.batch.cancel) return undefined;
  }
  return { again: runtime.clock.now(), isAct: true };
}
