// The worker in tests: runs due jobs, at the time of the test's clock.
import { jobTable } from "@/server/background/handlers";
import { type JobTable, runDueJobs } from "@/server/domains/jobs/runner";
import { ageCharges } from "./charge-ages";
import type { World } from "./world";

const mostRounds = 50;

/** Runs due jobs until none is left, and returns their number. Throws after too many rounds. */
export async function runJobs(
  { runtime, clock }: Pick<World, "runtime" | "clock">,
  table: JobTable = jobTable,
): Promise<number> {
  await ageCharges({ runtime, clock });
  let count = 0;
  for (let round = 0; round < mostRounds; round++) {
    const done = await runDueJobs(runtime, table);
    if (done === 0) return count;
    count += done;
  }
  throw new Error("The queue does not become empty.");
}

/** One round of the worker: as many due jobs as it runs at once. Returns their number. */
export const runJobsOnce = ({ runtime }: Pick<World, "runtime">): Promise<number> => runDueJobs(runtime, jobTable);

/** Lets time pass without a worker, and then does what is due. */
export async function pass(world: Pick<World, "runtime" | "clock">, ms: number): Promise<void> {
  world.clock.advance(ms);
  await runJobs(world);
}
