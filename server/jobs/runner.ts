// The worker: takes due jobs with a lease, does them, and gives back those that failed, later each time.
import { setTimeout as sleep } from "node:timers/promises";
import { forgetValues } from "@/db/errors";
import { newId } from "@/server/kit/ids";
import type { Runtime } from "@/server/kit/runtime";
import { handlers } from "./handlers";
import { finishJob, isAnyDue, type JobRow, returnJob, takeDue } from "./store";

/** Longer than any handler takes, since every wait in one has a timeout. */
const leaseMs = 60_000;
const mostAtOnce = 20;
const idleMs = 500;

/** Failures in a row after which a job is dead: more than a day of trying. */
export const mostFailures = 40;
const firstDelayMs = 2_000;
const longestDelayMs = 3_600_000;

/** How long after its `failures`-th failure in a row a job is tried again: doubling, with up to 20 % either way. */
export function retryDelayMs(failures: number, random: number): number {
  const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** (failures - 1));
  return Math.round(delay * (0.8 + 0.4 * random));
}

/** Does up to 20 of the jobs that are due, all at once; their number. Safe in several processes. */
export async function runDueJobs(runtime: Runtime): Promise<number> {
  const taken = await takeJobs(runtime, mostAtOnce);
  await Promise.all(taken.map((job) => runJob(runtime, job)));
  return taken.length;
}

async function takeJobs({ clock, db }: Runtime, limit: number): Promise<JobRow[]> {
  const now = clock.now();
  if (!(await isAnyDue(db.read, now))) return [];
  const lease = newId("job", now);
  return db.write((tx) => takeDue(tx, { now, lease, leaseEndsAt: now + leaseMs, limit }));
}

async function runJob(runtime: Runtime, job: JobRow): Promise<void> {
  try {
    const handler = handlers[job.kind as keyof typeof handlers];
    if (!handler) throw new Error(`No code here does jobs of the kind ${job.kind}.`);
    const later = await handler(runtime, job.objectId);
    await runtime.db.write((tx) =>
      later
        ? returnJob(tx, job, { runAt: later.again, failures: 0, lastError: null, updatedAt: runtime.clock.now() })
        : finishJob(tx, job),
    );
  } catch (error) {
    await noteFailure(runtime, job, forgetValues(error));
  }
}

async function noteFailure(runtime: Runtime, job: JobRow, error: unknown): Promise<void> {
  const now = runtime.clock.now();
  const failures = job.failures + 1;
  const isDead = failures >= mostFailures;
  const { id, kind, objectId } = job;
  runtime.log[isDead ? "error" : "warn"]({ err: error, job: id, kind, objectId, failures, isDead }, "a job failed");
  const lastError = (error instanceof Error ? error.message : String(error)).slice(0, 500);
  const change = isDead ? ({ status: "dead" } as const) : { runAt: now + retryDelayMs(failures, Math.random()) };
  await runtime.db.write((tx) => returnJob(tx, job, { ...change, failures, lastError, updatedAt: now }));
}

/** Does jobs as they come due until the answer is called, which waits for those that have begun. */
export function startRunner(runtime: Runtime): () => Promise<void> {
  const stopping = new AbortController();
  const running = work(runtime, stopping.signal);
  return async () => {
    stopping.abort();
    await running;
  };
}

/** Keeps up to 20 jobs going, so that slow ones, such as those of a silent provider, do not hold up the others. */
async function work(runtime: Runtime, signal: AbortSignal): Promise<void> {
  const going = new Set<Promise<unknown>>();
  while (!signal.aborted) {
    const free = mostAtOnce - going.size;
    const taken =
      free === 0 ? [] : await takeJobs(runtime, free).catch((error: unknown) => noteStandstill(runtime, error));
    for (const job of taken) {
      const run: Promise<unknown> = runJob(runtime, job)
        .catch((error: unknown) => noteStandstill(runtime, error))
        .finally(() => going.delete(run));
      going.add(run);
    }
    if (taken.length === 0) await sleep(idleMs, undefined, { signal, ref: false }).catch(() => {});
  }
  await Promise.all(going);
}

/** The lease of what was taken ends by itself, and then it is done. */
function noteStandstill(runtime: Runtime, error: unknown): JobRow[] {
  runtime.log.error({ err: forgetValues(error) }, "the queue could not be worked on");
  return [];
}
