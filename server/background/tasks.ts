// What the process does by itself, again and again, while it serves.

import { startRunner } from "@/server/domains/jobs/runner";
import { writeCheckpoint } from "@/server/domains/ledger/checkpoint";
import { writeCounts } from "@/server/domains/records/refused-calls";
import type { Runtime } from "@/server/process/runtime";
import { jobTable } from "./handlers";
import { removeOutdated } from "./retention";

interface Task {
  readonly name: string;
  readonly everyMs: number;
  /** Safe to run in several processes at once. Ends soon once `stopping` fires, whatever is left to do. */
  run(runtime: Runtime, stopping: AbortSignal): Promise<unknown>;
}

/** What each process does, since it concerns what only this process knows. */
const ownTasks: readonly Task[] = [
  {
    name: "recording how many calls were refused",
    everyMs: 60_000,
    run: (runtime, stopping) => writeCounts(runtime, { isLast: stopping.aborted }),
  },
];

/** What workers do for all processes. */
const sharedTasks: readonly Task[] = [
  { name: "signing the ledger", everyMs: 60_000, run: writeCheckpoint },
  { name: "removing outdated records", everyMs: 3_600_000, run: removeOutdated },
];

/**
 * Starts the tasks of this process, now and at their intervals, and of a worker the jobs' runner, too. The answer stops
 * them, after a last run of each task.
 */
export function startTasks(runtime: Runtime, { isWorker }: { isWorker: boolean }): () => Promise<void> {
  const tasks = isWorker ? [...ownTasks, ...sharedTasks] : ownTasks;
  const stops = [...(isWorker ? [startRunner(runtime, jobTable)] : []), ...tasks.map((task) => repeat(runtime, task))];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

/** Never two runs of one task at once in this process; a run that fails is logged and tried again at the next interval. */
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
