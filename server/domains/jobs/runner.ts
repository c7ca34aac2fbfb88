// The worker: takes due jobs with a lease, does them, and gives back those that failed, later each time.
import { setTimeout as sleep } from "node:timers/promises";
import { forgetValues, isUnavailable, tookTooLong } from "@/db/errors";
import { newId } from "@/server/kit/ids";
import { hourMs, limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { healQueue } from "./heal";
import type { JobKind } from "./queue";
import { reasonOf } from "./reason";
import { finishJobs, isAnyDue, type JobRow, renewLease, returnJob, takeDue } from "./store";

/** How long a worker that has died keeps its jobs. A live worker renews its leases, however long a job takes. */
export const leaseMs = 15_000;
const renewEveryMs = 5_000;
const idleMs = 500;

/** A handler's answer for a job that is not finished yet, though nothing failed: when to do it again, epoch ms. */
export type Later = { again: number };

/** Does the job for one object. The signal fires once another worker has the job, so that a long one stops. */
export type Handler = (runtime: Runtime, objectId: string, signal: AbortSignal) => Promise<Later | undefined>;

/** Does the jobs for several objects in one transaction, for good, or throws and has done none. */
export type BatchHandler = (runtime: Runtime, objectIds: readonly string[]) => Promise<void>;

/** Which code does which job: server/background/handlers.ts has the product's. A job may be done twice, so all are idempotent. */
export interface JobTable {
  handlers: Readonly<Partial<Record<JobKind, Handler>>>;
  /** Kinds that come in bulk and touch the database alone. */
  batchHandlers: Readonly<Partial<Record<JobKind, BatchHandler>>>;
  /** What a worker puts right when it starts, beside its jobs. Ends once `stopping` fires. */
  heal?: (runtime: Runtime, stopping: AbortSignal) => Promise<void>;
}

/** Each priority has its own share of the worker, so that neither waits for the other. Slow jobs delay their own share only. */
const lanes = [
  { priority: 0, atOnce: 16 },
  { priority: 1, atOnce: 40 },
] as const;
type Lane = (typeof lanes)[number];

const firstDelayMs = 2_000;
const longestDelayMs = hourMs;

/** After how long a job is tried again that could not be done because of our own database. */
const outageDelayMs = 5_000;

/** How long after its `failures`-th failure in a row a job is tried again: doubling, with up to 20 % either way. */
export function retryDelayMs(failures: number, random: number): number {
  const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** (failures - 1));
  return Math.round(delay * (0.8 + 0.4 * random));
}

/** Does as many of the due jobs as a worker does at once; their number. Safe in several processes. */
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

/** What is done together: first tries of a kind that allows it. A job that failed before is done alone. */
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
      return await runtime.db.write((tx) => finishJobs(tx, unit));
    } catch {
      // One of them may be the cause: each is tried by itself, and fails by itself.
    }
  }
  await Promise.all(unit.map((job) => runJob(runtime, job, table)));
}

async function runJob(runtime: Runtime, job: JobRow, { handlers }: JobTable): Promise<void> {
  try {
    if (job.failures > limits.jobFailures) throw new Error("The worker ended each time it did this job.");
    const handler = handlers[job.kind as JobKind];
    if (!handler) throw new Error(`No code here does jobs of the kind ${job.kind}.`);
    const later = await whileRenewed(runtime, [job], (signal) => handler(runtime, job.objectId, signal));
    await runtime.db.write((tx) =>
      later
        ? returnJob(tx, job, { runAt: later.again, failures: 0, lastError: null, updatedAt: runtime.clock.now() })
        : finishJobs(tx, [job]),
    );
  } catch (error) {
    await noteFailure(runtime, job, forgetValues(error));
  }
}

/** Renews the jobs' leases while `work` runs; its signal fires once one of them is another worker's. */
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
  // What fails here is tried again in a moment; if it goes on failing, the lease ends.
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
  // A job whose own statement takes too long each time must end, too.
  if (isUnavailable(error) && !tookTooLong(error)) {
    runtime.log.warn({ err: error, job: id, kind, objectId }, "a job waits for the database");
    // An outage of ours says nothing about the job.
    const change = { runAt: now + outageDelayMs, failures: failures - 1, updatedAt: now };
    return runtime.db.write((tx) => returnJob(tx, job, change));
  }
  const isDead = failures >= limits.jobFailures;
  runtime.log[isDead ? "error" : "warn"]({ err: error, job: id, kind, objectId, failures, isDead }, "a job failed");
  const change = isDead ? ({ status: "dead" } as const) : { runAt: now + retryDelayMs(failures, Math.random()) };
  const counted = Math.min(failures, limits.jobFailures);
  await runtime.db.write((tx) =>
    returnJob(tx, job, { ...change, failures: counted, lastError: reasonOf(error), updatedAt: now }),
  );
}

/** Does jobs as they come due until the answer is called, which waits for those that have begun. */
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

/** Keeps the lane's jobs going, so that slow ones, such as those of a silent provider, do not hold up the others. */
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

/** Jobs that were taken are tried again when their leases end. */
function noteStandstill(runtime: Runtime, error: unknown): JobRow[] {
  runtime.log.error({ err: forgetValues(error) }, "the queue could not be worked on");
  return [];
}
