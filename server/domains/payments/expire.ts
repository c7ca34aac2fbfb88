// Records and announces that a payment request has expired. Readers see it as expired from that instant on, even before
// the record.

import { schedule } from "@/server/domains/jobs/queue";
import { inBackground } from "@/server/domains/records/in-background";
import type { WriteContext } from "@/server/kit/context";
import { newId } from "@/server/kit/ids";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { mayExpire, statusAt } from "./derive";
import { findExpiredEarly } from "./expiry-store";
import { refreshPayment } from "./refresh";
import { isStale } from "./stale";
import { attemptsOf, lockPayment, lockPayments } from "./store";

const task = "payments.expire";

/** Updates the payment request if time has changed its status. Idempotent. */
export async function expirePayment(runtime: Runtime, paymentId: string): Promise<undefined> {
  await expirePayments(runtime, [paymentId]);
  return undefined;
}

/** The same for several payment requests in one transaction. */
export const expirePayments = (runtime: Runtime, paymentIds: readonly string[]): Promise<void> =>
  inBackground(runtime, task, async (ctx) => {
    // Lock all of them first: reopening one schedules a job for its account, and payment requests of one account share
    // that job.
    await lockPayments(ctx.db, paymentIds);
    for (const id of paymentIds) await expireOne(ctx, id);
  });

/**
 * Schedules the expiry job for payment requests that a process whose clock was ahead expired too early. One that fails
 * is retried and does not delay the others. A worker calls this once, when it starts. While a process runs, its clock
 * never runs backwards: a fast clock is right again only when true time has caught up, and by then everything that it
 * expired has truly expired. `now` is the database's time unless a test gives its own. Ends once `stopping` fires.
 * Idempotent.
 */
export async function healExpired(
  { db, clock }: Runtime,
  now: number | null = null,
  stopping?: AbortSignal,
): Promise<void> {
  for (let last = ""; !stopping?.aborted; ) {
    const found = await findExpiredEarly(db.read, { now, last, limit: limits.batch.healPayments });
    if (found.length === 0) return;
    const at = clock.now();
    await db.write(async (tx) => {
      const ctx = { db: tx, now: at, realNow: at, id: (prefix: "job") => newId(prefix, at) };
      for (const { id: objectId, organizationId } of found) {
        await schedule(ctx, { kind: task, organizationId, objectId, afterMs: 0 });
      }
    });
    last = found.at(-1)?.id ?? "";
  }
}

async function expireOne(ctx: WriteContext, paymentId: string): Promise<void> {
  const row = await lockPayment(ctx.db, paymentId);
  if (!row) return;
  const { organizationId, expiresAt } = row;
  const mustRefresh =
    statusAt(row, ctx.now) !== row.status || (await isStale(ctx.db, row, await attemptsOf(ctx.db, row), ctx.now));
  const current = mustRefresh ? await refreshPayment(ctx, paymentId) : row;
  if (mustRefresh) ctx.audit({ target: paymentId, organizationId, detail: { status: current.status } });
  // The worker's clock was ahead when it took the job.
  if (mayExpire(current) && expiresAt !== null && expiresAt > ctx.now) {
    await schedule(ctx, { kind: task, organizationId, objectId: paymentId, dueAt: expiresAt });
  }
}
