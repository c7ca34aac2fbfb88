// Leases of jobs in tests. They end by the database's clock, which no test can move.
import { isNotNull, sql } from "drizzle-orm";
import { jobs } from "@/db/tables";
import type { World } from "./world";

/** Makes every lease look as if it had been given `milliseconds` earlier. */
export const ageJobLeases = ({ runtime }: Pick<World, "runtime">, milliseconds: number): Promise<void> =>
  runtime.db.write(async (tx) => {
    const leaseEndsAt = sql`${jobs.leaseEndsAt} - ${milliseconds}`;
    await tx.update(jobs).set({ leaseEndsAt }).where(isNotNull(jobs.lease));
  });
