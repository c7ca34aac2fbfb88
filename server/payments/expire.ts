// Records and announces that a request's time is over. For readers it had expired at its instant.
import { inBackground } from "@/server/background";
import { schedule } from "@/server/jobs/queue";
import type { WriteContext } from "@/server/kit/context";
import type { Runtime } from "@/server/kit/runtime";
import { derivePaymentStatus, mayExpire, statusAt } from "./derive";
import { refreshPayment } from "./refresh";
import { holdPayment, type PaymentRow, partsOf } from "./store";

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
  const isStale = statusAt(row, ctx.now) !== row.status || (await isDerivedOtherwise(ctx, row));
  const current = isStale ? await refreshPayment(ctx, paymentId) : row;
  if (isStale) ctx.audit({ target: paymentId, organizationId, detail: { status: current.status } });
  // The worker's clock was ahead when it took the job, or an upgrade wanted it.
  if (mayExpire(current) && expiresAt !== null && expiresAt > ctx.now) {
    await schedule(ctx, { kind: task, organizationId, objectId: paymentId, runAt: expiresAt });
  }
}

/** Whether the row was last written by rules that have changed since: its transactions say another status now. */
async function isDerivedOtherwise(ctx: WriteContext, row: PaymentRow): Promise<boolean> {
  return derivePaymentStatus({ ...row, parts: await partsOf(ctx.db, row.id) }, ctx.now) !== row.status;
}
