// The worker: takes due jobs with a lease, runs them, and reschedules those that failed with growing delays.
import { setTimeout as sleep } from "node:timers/promises";
import { forgetValues, isUnavailable, tookTooLong } from "@/db/errors";
import { newId } from "@/server/kit/ids";
import { hourMs, limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { kindLabel } from "./figures";
import { healQueue } from "./heal";
import type { JobKind } from "./queue";
import { reasonOf } from "./reason";
import { finishJobs, isAnyDue, type JobRow, type Progress, renewLease, returnJob, takeDue } from "./store";

/** How long a dead worker keeps its jobs, in milliseconds. A live worker renews its leases while a job runs. */
export const leaseMs = 15_000;
const renewEveryMs = 5_000;
const idleMs = 500;

/**
 * A handler's result for a job that is not finished although nothing failed: when to run it again, epoch ms, and what
 * it then needs to know.
 */
export type Later = { again: number; progress?: Progress };

/**
 * Runs the job for one object. The signal fires once another worker has taken the job, so that a long run stops.
 * `progress` is what the handler returned with its last {@link Later}.
 */
export type Handler = (
  runtime: Runtime,
  objectId: string,
  signal: AbortSignal,
  progress: Progress,
) => Promise<Later | undefined>;

/** Runs the jobs for several objects in one transaction, or throws and changes nothing. */
export type BatchHandler = (runtime: Runtime, objectIds: readonly string[]) => Promise<void>;

/**
 * Maps kinds to handlers; server/background/handlers.ts has the product's. A job may run twice, so all are idempotent.
 */
export interface JobTable {
  handlers: Readonly<Partial<Record<JobKind, Handler>>>;
  /** Kinds of bulk jobs that touch only the database. */
  batchHandlers: Readonly<Partial<Record<JobKind, BatchHandler>>>;
  /** Repairs that a worker makes when it starts. Ends once `stopping` fires. */
  heal?: (runtime: Runtime, stopping: AbortSignal) => Promise<void>;
}

/** Each priority has its own share of the worker, so that slow jobs of one do not delay those of another. */
const lanes = [
  { priority: 0, atOnce: limits.jobsAtOnce.pressing },
  { priority: 1, atOnce: limits.jobsAtOnce.bulk },
  { priority: 2, atOnce: limits.jobsAtOnce.mails },
] as const;
type Lane = (typeof lanes)[number];

const firstDelayMs = 2_000;
const longestDelayMs = hourMs;

/** Delay in milliseconds before the retry of a job that failed because our own database was unavailable. */
const outageDelayMs = 5_000;

/** Delay in milliseconds after the `failures`-th failure in a row: doubling, with up to 20 % of jitter. */
export function retryDelayMs(failures: number, random: number): number {
  const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** (failures - 1));
  return Math.round(delay * (0.8 + 0.4 * random));
}

/** Runs as many due jobs as a worker runs at once, and returns their number. Safe in several processes. */
export async function runDueJobs(runtime: Runtime, table: JobTable): Promise<number> {
  const counts = await Promise.all(
    lanes.map(async (lane) => {
      const taken = await takeJobs(runtime, lane, lane.atOnce);
      await Promise.all(unitsOf(taken, table).map((unit) => runUnit(runtime, unit, table)));
      return taken.length;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

async function takeJobs({ clock, db }: Runtime, { priority }: Lane, limit: number): Promise<JobRow[]> {
  const now = clock.now();
  if (!(await isAnyDue(db.read, priority, now))) return [];
  const lease = newId("job", now);
  return db.write((tx) => takeDue(tx, { priority, now, lease, leaseMs, limit }));
}

/** Groups jobs that run together: first attempts of a kind that allows it. A job that failed before runs alone. */
function unitsOf(taken: readonly JobRow[], { batchHandlers }: JobTable): JobRow[][] {
  const units: JobRow[][] = [];
  const open = new Map<string, JobRow[]>();
  for (const job of taken) {
    const batch = open.get(job.kind);
    const mayShare = job.failures === 1 && job.kind in batchHandlers;
    if (mayShare && batch && batch.length < limits.batch.jobs) {
      batch.push(job);
      continue;
    }
    const unit = [job];
    units.push(unit);
    if (mayShare) open.set(job.kind, unit);
  }
  return units;
}

async function runUnit(runtime: Runtime, unit: JobRow[], table: JobTable): Promise<void> {
  const [first] = unit;
  const handleAll = first && table.batchHandlers[first.kind as JobKind];
  if (handleAll && unit.length > 1) {
    try {
      await whileRenewed(runtime, unit, () =>
        handleAll(
          runtime,
          unit.map(({ objectId }) => objectId),
        ),
      );
      await runtime.db.write((tx) => finishJobs(tx, unit));
      for (const { kind } of unit) runtime.metrics.noteJob(kindLabel(kind), "done");
      return;
    } catch {
      // One of them may be the cause, so each is retried alone.
    }
  }
  await Promise.all(unit.map((job) => runJob(runtime, job, table)));
}

async function runJob(runtime: Runtime, job: JobRow, { handlers }: JobTable): Promise<void> {
  try {
    if (job.failures > limits.jobFailures) throw new Error("The worker died each time it ran this job.");
    const handler = handlers[job.kind as JobKind];
    if (!handler) throw new Error(`No handler exists for jobs of the kind ${job.kind}.`);
    const later = await whileRenewed(runtime, [job], (signal) => handler(runtime, job.objectId, signal, job.progress));
    const goesOn = { failures: 0, lastError: null, progress: later?.progress ?? null, updatedAt: runtime.clock.now() };
    await runtime.db.write((tx) =>
      later ? returnJob(tx, job, { ...goesOn, runAt: later.again }) : finishJobs(tx, [job]),
    );
    runtime.metrics.noteJob(kindLabel(job.kind), later ? "again" : "done");
  } catch (error) {
    await noteFailure(runtime, job, forgetValues(error));
  }
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

/** Runs jobs as they become due. Returns a function that stops the runner and waits for running jobs. */
export function startRunner(runtime: Runtime, table: JobTable): () => Promise<void> {
  const stopping = new AbortController();
  const healing = table.heal?.(runtime, stopping.signal).catch((error: unknown) => noteStandstill(runtime, error));
  const running = healQueue(runtime, undefined, stopping.signal).then(() =>
    Promise.all([healing, ...lanes.map((lane) => work(runtime, lane, { table, signal: stopping.signal }))]),
  );
  return async () => {
    stopping.abort();
    await running;
  };
}

/** Keeps the lane busy, so that slow jobs, such as those of a silent provider, do not delay others. */
async function work(
  runtime: Runtime,
  lane: Lane,
  { table, signal }: { table: JobTable; signal: AbortSignal },
): Promise<void> {
  const going = new Set<Promise<unknown>>();
  let free: number = lane.atOnce;
  while (!signal.aborted) {
    const taken =
      free === 0 ? [] : await takeJobs(runtime, lane, free).catch((error: unknown) => noteStandstill(runtime, error));
    for (const unit of unitsOf(taken, table)) {
      free -= unit.length;
      const run: Promise<unknown> = runUnit(runtime, unit, table)
        .catch((error: unknown) => noteStandstill(runtime, error))
        .finally(() => {
          free += unit.length;
          going.delete(run);
        });
      going.add(run);
    }
    if (free === 0) await Promise.race(going);
    else if (taken.length === 0) await sleep(idleMs, undefined, { signal, ref: false }).catch(() => {});
  }
  await Promise.all(going);
}

/** Jobs that were taken are retried when their leases end. */
function noteStandstill(runtime: Runtime, error: unknown): JobRow[] {
  runtime.log.error({ err: forgetValues(error) }, "the queue could not be processed");
  return [];
}
