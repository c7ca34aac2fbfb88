// Corrects, when a worker starts, what an earlier process wrote into the queue while its clock was ahead.
import type { SQL } from "drizzle-orm";
import { forgetValues } from "@/db/errors";
import { databaseNow } from "@/db/now";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { type Batch, endOfBatch, moveBack } from "./store";

/** How far the clocks of two machines may differ, in milliseconds. */
const skewMs = 60_000;

/**
 * Moves jobs from the future back to their time, batch by batch, until `stopping` fires. `now` is the database's time:
 * this process's clock may be wrong as well.
 */
export async function healQueue(
  { db, log }: Runtime,
  now: number | SQL = databaseNow,
  stopping?: AbortSignal,
): Promise<void> {
  try {
    for (let after: string | null = ""; after !== null && !stopping?.aborted; ) {
      const batch: Batch = { after, last: await endOfBatch(db.read, after, limits.batch.healJobs) };
      await db.write((tx) => moveBack(tx, batch, now, skewMs));
      after = batch.last;
    }
  } catch (error) {
    log.error({ err: forgetValues(error) }, "the queue could not be looked through");
  }
}
