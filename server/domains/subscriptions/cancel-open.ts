// Cancels an account's subscriptions when it closes: a bounded number at once, the rest in a job.
import type { Reader } from "@/db/client";
import { LostRace } from "@/db/errors";
import { isOpen } from "@/server/domains/accounts/store";
import { schedule } from "@/server/domains/jobs/queue";
import type { Later } from "@/server/domains/jobs/runner";
import { lockPayments } from "@/server/domains/payments/store";
import { inBackground } from "@/server/domains/records/in-background";
import type { WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { cancelNow } from "./end";
import { liveOfAccount, readSubscription } from "./store";

const task = "subscriptions.cancel_open";

interface Closed {
  id: string;
  organizationId: string;
}

/** The newest payment requests of the subscriptions that {@link cancelSubscriptionsOf} cancels at once. */
export async function newestPaymentsOf(q: Reader, accountId: string): Promise<string[]> {
  const live = await liveOfAccount(q, accountId, limits.batch.cancelSubscriptions);
  return live.map(({ latestPaymentId }) => latestPaymentId);
}

/**
 * Cancels the subscriptions of a closed account; those beyond a bound in a job. The caller has locked the account and
 * {@link newestPaymentsOf} it.
 */
export async function cancelSubscriptionsOf(ctx: WriteContext, { id: objectId, organizationId }: Closed) {
  const count = await cancelBatch(ctx, objectId);
  if (count === limits.batch.cancelSubscriptions)
    await schedule(ctx, { kind: task, organizationId, objectId, dueAt: ctx.now });
}

/** The job: cancels the rest, batch by batch. Idempotent. */
export async function cancelSubscriptions(runtime: Runtime, accountId: string): Promise<Later | undefined> {
  const count = await inBackground(runtime, task, async (ctx) => {
    const [first] = await liveOfAccount(ctx.db, accountId, 1);
    if (!first || (await isOpen(ctx.db, first.organizationId, accountId))) return 0;
    const canceled = await cancelBatch(ctx, accountId);
    const { organizationId } = first;
    ctx.audit({ target: accountId, organizationId, detail: { canceled_subscriptions: canceled } });
    return canceled;
  });
  return count === limits.batch.cancelSubscriptions ? { again: runtime.clock.now(), isAct: true } : undefined;
}

/** Cancels one batch. Resolves to its size. */
async function cancelBatch(ctx: WriteContext, accountId: string): Promise<number> {
  const live = await liveOfAccount(ctx.db, accountId, limits.batch.cancelSubscriptions);
  await lockPayments(
    ctx.db,
    live.map(({ latestPaymentId }) => latestPaymentId),
  );
  for (const { id, latestPaymentId } of live) {
    const row = await readSubscription(ctx.db, id);
    if (row?.latestPaymentId !== latestPaymentId) throw new LostRace(new Error("Another period has begun."));
    await cancelNow(ctx, row);
  }
  return live.length;
}
