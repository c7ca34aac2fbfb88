// Records and announces that a request's time is over. For readers it had expired at its instant.
import { inBackground } from "@/server/background";
import { schedule } from "@/server/jobs/queue";
import type { WriteContext } from "@/server/kit/context";
import type { Runtime } from "@/server/kit/runtime";
import { mayExpire, statusAt } from "./derive";
import { refreshPayment } from "./refresh";
import { holdPayment } from "./store";

const task = "payments.expire";

/** Brings the request up to date if its time has changed its status. Idempotent. */
export async function expirePayment(runtime: Runtime, paymentId: string): Promise<undefined> {
  await expirePayments(runtime, [paymentId]);
  return undefined;
}

/** The same for several requests, in one transaction. */
export const expirePayments = (runtime: Runtime, paymentIds: readonly string[]): Promise<void> =>
  inBackground(runtime, task, async (ctx) => {
    // Rows are locked in the order of their ids everywhere.
    for (const id of [...paymentIds].sort()) await expireOne(ctx, id);
  });

async function expireOne(ctx: WriteContext, paymentId: string): Promise<void> {
  const row = await holdPayment(ctx.db, paymentId);
  if (!row) return;
  const { organizationId, expiresAt } = row;
  if (statusAt(row, ctx.now) !== row.status) {
    const after = await refreshPayment(ctx, paymentId);
    ctx.audit({ target: paymentId, organizationId, detail: { status: after.status } });
  } else if (mayExpire(row) && expiresAt !== null && expiresAt > ctx.now) {
    // The worker's clock was ahead when it took the job.
    await schedule(ctx, { kind: task, organizationId, objectId: paymentId, runAt: expiresAt });
  }
}
