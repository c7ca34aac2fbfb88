// Runs jobs that were taken: renews their leases meanwhile, then removes, returns or reschedules them.
import type { Tx } from "@/db/client";
import { forgetValues, isUnavailable, tookTooLong } from "@/db/errors";
import { hourMs, limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { kindLabel } from "./figures";
import { Postponed } from "./postponed";
import { type JobKind, timesOf } from "./queue";
import { reasonOf } from "./reason";
import type { JobTable, Later } from "./runner";
import { finishJobs, type JobRow, renewLease, returnJob } from "./store";

/** How long a dead worker keeps its jobs, in milliseconds. A live worker renews its leases while a job runs. */
export const leaseMs = 15_000;
const renewEveryMs = 5_000;

/** How long a job waits while an advance of its organization's clock goes on, in milliseconds. */
const postponedMs = 500;

const firstDelayMs = 2_000;
const longestDelayMs = hourMs;

/** Delay in milliseconds before the retry of a job that failed because our own database was unavailable. */
const outageDelayMs = 5_000;

/** Delay in milliseconds after the `failures`-th failure in a row: doubling, with up to 20 % of jitter. */
export function retryDelayMs(failures: number, random: number): number {
  const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** (failures - 1));
  return Math.round(delay * (0.8 + 0.4 * random));
}

/** Runs jobs that were taken together. */
export async function runUnit(runtime: Runtime, unit: readonly JobRow[], table: JobTable): Promise<void> {
  const [first] = unit;
  if (!first) return;
  const own = await (table.runtimeFor?.(runtime, first) ?? runtime);
  if (own === null) return postpone(runtime, unit);
  const handleAll = table.batchHandlers[first.kind as JobKind];
  if (handleAll && unit.length > 1) {
    try {
      const ids = unit.map(({ objectId }) => objectId);
      await whileRenewed(runtime, unit, () => handleAll(own, ids));
      await runtime.db.write((tx) => finishJobs(tx, unit));
      for (const { kind } of unit) runtime.metrics.noteJob(kindLabel(kind), "done");
      return;
    } catch {
      // One of them may be the cause, so each is retried alone.
    }
  }
  await Promise.all(unit.map((job) => runJob(runtime, job, table, own)));
}

/** Returns jobs that may not run yet. */
async function postpone({ db, clock }: Runtime, unit: readonly JobRow[]): Promise<void> {
  const now = clock.now();
  await db.write(async (tx) => {
    for (const job of unit) {
      await returnJob(tx, job, { runAt: now + postponedMs, failures: job.failures - 1, updatedAt: now });
    }
  });
}

/** Runs a job with its handler's runtime. */
async function runJob(runtime: Runtime, job: JobRow, { handlers }: JobTable, own: Runtime): Promise<void> {
  try {
    if (job.failures > limits.jobFailures) throw new Error("The worker died each time it ran this job.");
    const handler = handlers[job.kind as JobKind];
    if (!handler) throw new Error(`No handler exists for jobs of the kind ${job.kind}.`);
    const later = await whileRenewed(runtime, [job], (signal) => handler(own, job.objectId, signal, job.progress));
    const realNow = runtime.clock.now();
    await runtime.db.write((tx) =>
      later ? goOn(tx, job, later, { now: own.clock.now(), realNow }) : finishJobs(tx, [job]),
    );
    runtime.metrics.noteJob(kindLabel(job.kind), later ? "again" : "done");
  } catch (error) {
    if (error instanceof Postponed) return postpone(runtime, [job]);
    await noteFailure(runtime, job, forgetValues(error));
  }
}

/** Returns a job that is not finished although nothing failed. */
function goOn(tx: Tx, job: JobRow, later: Later, times: { now: number; realNow: number }): Promise<void> {
  const { again, isAct, progress = null } = later;
  const when = timesOf(isAct ? { dueAt: again } : { afterMs: again - times.now }, times);
  return returnJob(tx, job, { ...when, failures: 0, lastError: null, progress, updatedAt: times.realNow });
}

/** Renews the jobs' leases while `work` runs. Its signal fires once another worker has taken one of them. */
async function whileRenewed<T>(
  { clock, db, log }: Runtime,
  unit: readonly JobRow[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  const renew = async () => {
    for (const job of unit) {
      if (!(await db.write((tx) => renewLease(tx, job, { now: clock.now(), leaseMs }))))
        lost.abort(new Error("The lease ended."));
    }
  };
  // A failed renewal is retried soon. If it keeps failing, the lease ends.
  const timer = setInterval(() => {
    renew().catch((error: unknown) => log.warn({ err: forgetValues(error) }, "a lease could not be renewed"));
  }, renewEveryMs);
  try {
    return await work(lost.signal);
  } finally {
    clearInterval(timer);
  }
}

async function noteFailure(runtime: Runtime, job: JobRow, error: unknown): Promise<void> {
  const now = runtime.clock.now();
  const { id, kind, objectId, failures } = job;
  // A job whose own statement always takes too long must become dead too.
  if (isUnavailable(error) && !tookTooLong(error)) {
    runtime.log.warn({ err: error, job: id, kind, objectId }, "a job waits for the database");
    // An outage of our database does not count as a failure of the job.
    const change = { runAt: now + outageDelayMs, failures: failures - 1, updatedAt: now };
    return runtime.db.write((tx) => returnJob(tx, job, change));
  }
  const isDead = failures >= limits.jobFailures;
  runtime.metrics.noteJob(kindLabel(kind), isDead ? "dead" : "failed");
  runtime.log[isDead ? "error" : "warn"]({ err: error, job: id, kind, objectId, failures, isDead }, "a job failed");
  const change = isDead ? ({ status: "dead" } as const) : { runAt: now + retryDelayMs(failures, Math.random()) };
  const counted = Math.min(failures, limits.jobFailures);
  await runtime.db.write((tx) =>
    returnJob(tx, job, { ...change, failures: counted, lastError: reasonOf(error), updatedAt: now }),
  );
}
