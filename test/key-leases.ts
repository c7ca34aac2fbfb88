// Leases of idempotency keys in tests. They end by the database's clock, which no test can move.
import { isNull, sql } from "drizzle-orm";
import { idempotencyKeys } from "@/db/tables";
import { leaseMs } from "@/server/pipeline/idempotency";
import type { World } from "./world";

/** Makes every running saga look as if it had begun `milliseconds` earlier; later if negative. */
export const ageKeyLeases = ({ runtime }: Pick<World, "runtime">, milliseconds: number): Promise<void> =>
  runtime.db.write(async (tx) => {
    const createdAt = sql`${idempotencyKeys.createdAt} - ${milliseconds}`;
    await tx.update(idempotencyKeys).set({ createdAt }).where(isNull(idempotencyKeys.status));
  });

/** Makes every running saga look as if its process had been silent for a whole lease. */
export const endKeyLeases = (world: Pick<World, "runtime">): Promise<void> => ageKeyLeases(world, leaseMs);
