// Cancels the unpaid uses of a canceled link: a bounded number at once, the rest in a job. A use that is being paid is
// settled first, and ends with its link if that fails.
import { schedule } from "@/server/domains/jobs/queue";
import type { Later } from "@/server/domains/jobs/runner";
import { inBackground } from "@/server/domains/records/in-background";
import type { WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { findUnconfirmedUses } from "../attempt-store";
import { refreshPayment } from "../refresh";
import { lockPayment, lockPayments, type PaymentRow } from "../store";
import { lockIdleUses } from "./uses-store";

const task = "payments.cancel_uses";

/** Cancels the first unpaid uses of a canceled link, which the caller has locked, and schedules the rest. */
export async function cancelUses(ctx: WriteContext, link: PaymentRow): Promise<void> {
  if ((await cancelBatch(ctx, link.id)) < limits.batch.cancel) return;
  await schedule(ctx, { kind: task, organizationId: link.organizationId, objectId: link.id, dueAt: ctx.now });
}

/** Cancels one batch; returns how many. */
async function cancelBatch(ctx: WriteContext, linkId: string): Promise<number> {
  const ids = await lockIdleUses(ctx.db, linkId, limits.batch.cancel);
  for (const id of ids) await refreshPayment(ctx, id);
  return ids.length;
}

/**
 * Cancels a batch of uses by the customers that wait for a confirmation, which the look-up that follows ends at the
 * provider. Resolves to whether there was no more than one batch.
 */
export async function cancelUnconfirmed(ctx: WriteContext, customerIds: readonly string[]): Promise<boolean> {
  const find = () => findUnconfirmedUses(ctx.db, customerIds, limits.batch.cancel);
  const found = await find();
  await lockPayments(ctx.db, found);
  // Somebody may have confirmed one meanwhile.
  const ids = (await find()).filter((id) => found.includes(id));
  for (const id of ids) {
    const { organizationId: organization } = await refreshPayment(ctx, id, { canceledAt: ctx.now });
    ctx.audit({ target: id, organizationId: organization, detail: { unconfirmed: true } });
  }
  return found.length < limits.batch.cancel;
}

/** The job: cancels the remaining unpaid uses of a canceled link, batch by batch. Idempotent. */
export async function cancelRestOfUses(runtime: Runtime, linkId: string): Promise<Later | undefined> {
  for (let batch = 0; batch < limits.batch.cancelRuns; batch++) {
    const count = await inBackground(runtime, task, async (ctx) => {
      const link = await lockPayment(ctx.db, linkId);
      if (!link || link.canceledAt === null) return 0;
      const canceled_uses = await cancelBatch(ctx, linkId);
      if (canceled_uses > 0)
        ctx.audit({ target: linkId, organizationId: link.organizationId, detail: { canceled_uses } });
      return canceled_uses;
    });
    if (count < limits.batch.cancel) return undefined;
  }
  return { again: runtime.clock.now(), isAct: true };
}
