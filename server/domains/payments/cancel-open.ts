// Cancels an account's open payment requests when it closes: a bounded number at once, the rest in a job.

import { schedule } from "@/server/domains/jobs/queue";
import type { Later } from "@/server/domains/jobs/runner";
import { inBackground } from "@/server/domains/records/in-background";
import type { ReadContext, WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { countOpenPayments, findOpen, isClosed, stillOpen } from "./cancel-open-store";
import { refreshPayment } from "./refresh";
import { lockPayments } from "./store";

/** How long the job waits for payment requests that are being captured, in milliseconds. */
const captureWaitMs = 60_000;

/**
 * Locks up to {@link limits.batch.cancel} open payment requests of an account, and with them `others`, which the caller
 * changes in the same transaction. Resolves to the open ones.
 */
export async function lockOpenPayments(
  ctx: WriteContext,
  accountId: string,
  others: readonly string[] = [],
): Promise<string[]> {
  const open = await findOpen(ctx.db, accountId, ctx.now, limits.batch.cancel);
  await lockPayments(ctx.db, [...open, ...others]);
  return open;
}

/**
 * Cancels those of the payment requests that are still open, in the caller's transaction, and all others of a closed
 * account in a job. The caller has locked the account, and `locked` by {@link lockOpenPayments}. Resolves to their
 * number. The look-up of each attempt then releases its authorization hold, or ends its confirmation, at the provider. A capture
 * that was decided before continues, and so does an attempt that is still processing; money that arrives is posted.
 */
export async function cancelOpenPayments(
  ctx: WriteContext,
  { id: accountId, organizationId }: { id: string; organizationId: string },
  locked: readonly string[],
): Promise<number> {
  const canceled = await cancelBatch(ctx, accountId, locked);
  const { open, beingCaptured } = await countOpenPayments(ctx.db, accountId, ctx.now);
  if (open > 0) {
    await schedule(ctx, { kind: "payments.cancel_open", organizationId, objectId: accountId, dueAt: ctx.now });
  }
  return canceled.length + open - beingCaptured;
}

/** Cancels those of a locked batch that are still open. Resolves to them. */
async function cancelBatch(ctx: WriteContext, accountId: string, locked: readonly string[]) {
  const open = await stillOpen(ctx.db, accountId, ctx.now, locked);
  for (const { id } of open) await refreshPayment(ctx, id, { canceledAt: ctx.now });
  return open;
}

/** The job: cancels the remaining open payment requests of a closed account, batch by batch. Idempotent. */
export async function cancelRest(runtime: Runtime, accountId: string): Promise<Later | undefined> {
  let canceled = 0;
  for (let batch = 0; batch < limits.batch.cancelRuns; batch++) {
    const count = await inBackground(runtime, "payments.cancel_open", async (ctx) => {
      if (!(await isClosed(ctx.db, accountId))) return null;
      const [first, ...others] = await cancelBatch(ctx, accountId, await lockOpenPayments(ctx, accountId));
      if (!first) return 0;
      const { organizationId } = first;
      const canceled_payments = 1 + others.length;
      ctx.audit({ target: accountId, organizationId, detail: { canceled_payments } });
      return canceled_payments;
    });
    if (count === null) return undefined;
    canceled = count;
    if (canceled === 0) break;
  }
  const now = runtime.clock.now();
  const { open } = await countOpenPayments(runtime.db.read, accountId, now);
  if (open === 0) return undefined;
  return canceled > 0 ? { again: now, isAct: true } : { again: now + captureWaitMs };
}

/** How many payment requests {@link cancelOpenPayments} would cancel now. */
export async function openPaymentCount({ db, now }: ReadContext, accountId: string): Promise<number> {
  const { open, beingCaptured } = await countOpenPayments(db, accountId, now);
  return open - beingCaptured;
}
