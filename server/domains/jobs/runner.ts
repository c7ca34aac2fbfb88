// The worker: takes due jobs with a lease, runs them, and reschedules those that failed with growing delays.
import { setTimeout as sleep } from "node:timers/promises";
import { forgetValues } from "@/db/errors";
import { newId } from "@/server/kit/ids";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { findFree, isAnyDue } from "./find-store";
import { healQueue } from "./heal";
import { type JobKind, keyOf } from "./queue";
import { leaseMs, runUnit } from "./run";
import { type JobRow, type Progress, takeDue, takeJob } from "./store";

const idleMs = 500;

/**
 * A handler's result for a job that is not finished although nothing failed: when to run it again, by the clock of its
 * runtime, and what it then needs to know. As an `act`, it waits for that instant of its organization's time, else in
 * real time.
 */
export type Later = { again: number; isAct?: boolean; progress?: Progress };

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
  /**
   * The runtime for a job's handler, with the clock that its kind follows; null while an advance of its organization's
   * clock carries out the acts that are due, and this job is one.
   */
  runtimeFor?: (runtime: Runtime, job: JobRow) => Runtime | Promise<Runtime | null>;
  /** Repairs that a worker makes when it starts. Ends once `stopping` fires. */
  heal?: (runtime: Runtime, stopping: AbortSignal) => Promise<void>;
}

/** Each priority has its own share of the worker, so that slow jobs of one do not delay those of another. */
const lanes = [
  { priority: 0, atOnce: limits.jobsAtOnce.pressing },
  { priority: 1, atOnce: limits.jobsAtOnce.bulk },
  { priority: 2, atOnce: limits.jobsAtOnce.mails },
  { priority: 3, atOnce: limits.jobsAtOnce.subscriptions },
] as const;
type Lane = (typeof lanes)[number];

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

/** Runs the object's job of this kind, if it is due and no worker has it. Resolves to whether it ran. */
export async function runNow(runtime: Runtime, kind: JobKind, objectId: string, table: JobTable): Promise<boolean> {
  const { clock, db } = runtime;
  const now = clock.now();
  const lease = newId("job", now);
  const job = await db.write(async (tx) => {
    const id = await findFree(tx, keyOf(kind, objectId), now);
    return id === undefined ? undefined : takeJob(tx, id, { now, lease, leaseMs });
  });
  if (job) await runUnit(runtime, [job], table);
  return job !== undefined;
}

/**
 * Groups jobs that run together: first attempts of a kind that allows it, of one organization, because they share a
 * clock. A job that failed before runs alone.
 */
function unitsOf(taken: readonly JobRow[], { batchHandlers }: JobTable): JobRow[][] {
  const units: JobRow[][] = [];
  const open = new Map<string, JobRow[]>();
  for (const job of taken) {
    const shared = `${job.kind} ${job.organizationId}`;
    const batch = open.get(shared);
    const mayShare = job.failures === 1 && job.kind in batchHandlers;
    if (mayShare && batch && batch.length < limits.batch.jobs) {
      batch.push(job);
      continue;
    }
    const unit = [job];
    units.push(unit);
    if (mayShare) open.set(shared, unit);
  }
  return units;
}

/**
 * Runs jobs as they become due, and keeps the process alive to do so. Returns a function that stops the runner and waits
 * for running jobs.
 */
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
    else if (taken.length === 0) await sleep(idleMs, undefined, { signal }).catch(() => {});
  }
  await Promise.all(going);
}

/** Jobs that were taken are retried when their leases end. */
function noteStandstill(runtime: Runtime, error: unknown): JobRow[] {
  runtime.log.error({ err: forgetValues(error) }, "the queue could not be processed");
  return [];
}
