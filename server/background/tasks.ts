// Tasks that the process repeats while it runs.

import { planDailyBackup } from "@/server/backup/daily";
import { startRunner } from "@/server/domains/jobs/runner";
import { writeCheckpoint } from "@/server/domains/ledger/checkpoint";
import { writeCounts } from "@/server/domains/records/refused-calls";
import { writeSeals } from "@/server/domains/records/seals";
import { hourMs } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { jobTable } from "./handlers";
import { removeOutdated } from "./retention";

interface Task {
  readonly name: string;
  readonly everyMs: number;
  /** Safe to run in several processes at once. Ends soon after `stopping` fires, even if work is left. */
  run(runtime: Runtime, stopping: AbortSignal): Promise<unknown>;
}

/** Tasks of every process, about data that only this process has. */
const ownTasks: readonly Task[] = [
  {
    name: "recording how many calls were refused",
    everyMs: 60_000,
    run: (runtime, stopping) => writeCounts(runtime, { isLast: stopping.aborted }),
  },
];

/** Tasks that workers run for all processes. */
const sharedTasks: readonly Task[] = [
  { name: "signing the ledger", everyMs: 60_000, run: writeCheckpoint },
  { name: "sealing the audit log", everyMs: 60_000, run: writeSeals },
  { name: "removing outdated records", everyMs: hourMs, run: removeOutdated },
  { name: "planning the daily backup", everyMs: hourMs, run: planDailyBackup },
];

/**
 * Starts the tasks of this process, now and at their intervals, and in a worker also the job runner. Returns a function
 * that stops them after a last run of each.
 */
export function startTasks(runtime: Runtime, { isWorker }: { isWorker: boolean }): () => Promise<void> {
  const tasks = isWorker ? [...ownTasks, ...sharedTasks] : ownTasks;
  const stops = [...(isWorker ? [startRunner(runtime, jobTable)] : []), ...tasks.map((task) => repeat(runtime, task))];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

/** Runs a task repeatedly without overlap. A run that fails is logged and tried again at the next interval. */
export function repeat(runtime: Runtime, task: Task): () => Promise<void> {
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  const turn = async () => {
    try {
      await task.run(runtime, stopping.signal);
    } catch (error) {
      runtime.log.error({ err: error, task: task.name }, "a task failed");
    }
    running = null;
  };
  const begin = (): Promise<void> => {
    running ??= turn();
    return running;
  };
  begin();
  const timer = setInterval(begin, task.everyMs).unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
    await begin();
  };
}
