// Carries out the acts that an advance of a sandbox clock has made due, in order, each at its own instant.

import type { Tx } from "@/db/client";
import { eraseOldPapers } from "@/server/domains/closing/old-papers";
import { findAct, findLateActs } from "@/server/domains/jobs/find-store";
import { keyOf } from "@/server/domains/jobs/queue";
import { leaseMs, runUnit } from "@/server/domains/jobs/run";
import type { JobTable, Later } from "@/server/domains/jobs/runner";
import { deleteJob, followOffset, type JobRow, takeJob } from "@/server/domains/jobs/store";
import { type ClockRow, findClock, lockClock, updateClock } from "@/server/domains/organizations/clock-store";
import { runtimeAt } from "@/server/domains/organizations/time";
import { cancelRest } from "@/server/domains/payments/cancel-open";
import { expirePayment } from "@/server/domains/payments/expire";
import { cancelRestOfUses } from "@/server/domains/payments/links/cancel-uses";
import { moveRestOfUses } from "@/server/domains/payments/links/move-uses";
import { lookUpMethod } from "@/server/domains/payments/methods/look-up";
import { announceOverdue } from "@/server/domains/payments/overdue";
import { moveToWakingHour } from "@/server/domains/payments/reminder-moves";
import { remindWhenDue } from "@/server/domains/payments/reminders";
import { cancelSubscriptions } from "@/server/domains/subscriptions/cancel-open";
import { runSubscription } from "@/server/domains/subscriptions/run";
import { lookUp } from "@/server/domains/transactions/look-up";
import { newId } from "@/server/kit/ids";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { handleSandboxEvent } from "./events";

/** The kinds of acts. */
const handlers: JobTable["handlers"] = {
  "payments.expire": expirePayment,
  "payments.remind": remindWhenDue,
  "payments.overdue": announceOverdue,
  "payments.lookup": lookUp,
  "payments.look_up_method": lookUpMethod,
  "subscriptions.run": runSubscription,
  "subscriptions.cancel_open": cancelSubscriptions,
  "payments.cancel_open": cancelRest,
  "payments.cancel_uses": cancelRestOfUses,
  "payments.move_uses": moveRestOfUses,
  "payments.move_reminders": moveToWakingHour,
  "customers.erase_papers": eraseOldPapers,
  "sandbox.event": handleSandboxEvent,
};

/** An act that was due before the advance happens at its beginning, as if a worker had carried it out just before. */
const tableOf = ({ movedFrom }: ClockRow): JobTable => ({
  handlers,
  batchHandlers: {},
  runtimeFor: (runtime, { dueAt }) => (dueAt === null ? runtime : runtimeAt(runtime, Math.max(dueAt, movedFrom))),
});

/** The job: carries out due acts for a while. Resolves to when it continues. Idempotent. */
export async function advanceOn(
  runtime: Runtime,
  organizationId: string,
  signal: AbortSignal,
): Promise<Later | undefined> {
  const until = performance.now() + limits.sandboxClock.sliceMs;
  while (performance.now() < until && !signal.aborted) {
    const clock = await findClock(runtime.db.read, organizationId);
    if (!clock) return undefined;
    const act = clock.isRunning ? await takeAct(runtime, clock) : undefined;
    if (act) await runUnit(runtime, [act], tableOf(clock));
    else if (await end(runtime, clock)) return undefined;
  }
  return { again: runtime.clock.now() };
}

/** Takes the act that was due first, whether or not a worker has just begun it: to begin an act again is safe. */
const takeAct = ({ db, clock }: Runtime, { organizationId, offsetMs }: ClockRow): Promise<JobRow | undefined> =>
  db.write(async (tx) => {
    const now = clock.now();
    const id = await findAct(tx, organizationId, now + offsetMs);
    return id === undefined ? undefined : takeJob(tx, id, { now, lease: newId("job", now), leaseMs });
  });

/**
 * Ends the advance, together with its job, so that a call that moves the clock finds either a job that sees its move or
 * none. False if another advance has begun meanwhile, or another act is due.
 */
async function end({ db, clock }: Runtime, { organizationId, offsetMs }: ClockRow): Promise<boolean> {
  while ((await db.write((tx) => followClock(tx))) === limits.sandboxClock.moved);
  return db.write(async (tx) => {
    const row = await lockClock(tx, organizationId);
    if (!row || row.offsetMs !== offsetMs) return false;
    if ((await findAct(tx, organizationId, clock.now() + offsetMs)) !== undefined) return false;
    await updateClock(tx, { ...row, isRunning: false });
    await deleteJob(tx, keyOf("sandbox.advance", organizationId));
    return true;
  });

  /** Lets acts that are left run as early in real time as the clock now says. */
  async function followClock(tx: Tx): Promise<number> {
    const bounds = { now: clock.now() + offsetMs, offsetMs, limit: limits.sandboxClock.moved };
    const late = await findLateActs(tx, organizationId, bounds);
    if (late.length > 0) await followOffset(tx, late, offsetMs);
    return late.length;
  }
}
