// Start deadlines of charges in tests. They are instants of the database's clock, which no test can move.
import { and, eq, isNotNull, sql } from "drizzle-orm";
import { databaseNow } from "@/db/now";
import { transactions } from "@/db/tables";
import { startWithinMs } from "@/server/payments/rules";
import type { World } from "./world";

/** Moves the deadlines of charges under way as if the database's clock had gone on with the test's. */
export const moveStartDeadlines = ({ runtime, clock }: Pick<World, "runtime" | "clock">): Promise<void> =>
  runtime.db.write(async (tx) => {
    const elapsed = sql`cast(${clock.now()} as bigint) - ${transactions.createdAt}`;
    const startBefore = sql`${databaseNow} + ${startWithinMs} - (${elapsed})`;
    const isUnderWay = and(eq(transactions.status, "processing"), isNotNull(transactions.startBefore));
    await tx.update(transactions).set({ startBefore }).where(isUnderWay);
  });
