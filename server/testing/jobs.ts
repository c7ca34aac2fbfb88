// The worker in tests: does what is due, at the time that the test's clock shows.
import { runDueJobs } from "@/server/jobs/runner";
import { ageCharges } from "./charge-ages";
import type { World } from "./world";

const mostRounds = 50;

/** Does due jobs until none is left; their number. Throws if there seems to be no end. */
export async function runJobs({ runtime, clock }: Pick<World, "runtime" | "clock">): Promise<number> {
  await ageCharges({ runtime, clock });
  let count = 0;
  for (let round = 0; round < mostRounds; round++) {
    const done = await runDueJobs(runtime);
    if (done === 0) return count;
    count += done;
  }
  throw new Error("The queue does not become empty.");
}
