// Repairs jobs when a worker starts: those that a process whose clock was fast has dated in the future.
import type { SQL } from "drizzle-orm";
import { databaseNow } from "@/db/database-clock";
import { forgetValues } from "@/db/errors";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { endOfBatch } from "./find-store";
import { type Batch, moveBack } from "./store";

/**
 * Moves jobs dated in the future back to when they are due, in batches, until `stopping` fires. `now` is the database's
 * time, because this process's clock may be wrong too.
 */
export async function healQueue(
  { db, log }: Runtime,
  now: number | SQL = databaseNow,
  stopping?: AbortSignal,
): Promise<void> {
  try {
    for (let after: string | null = ""; after !== null && !stopping?.aborted; ) {
      const batch: Batch = { after, last: await endOfBatch(db.read, after, limits.batch.healJobs) };
      await db.write((tx) => moveBack(tx, batch, now, limits.clockSkewMs));
      after = batch.last;
    }
  } catch (error) {
    log.error({ err: forgetValues(error) }, "the queue could not be repaired");
  }
}
