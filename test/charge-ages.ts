// Ages of charges in tests. They follow the database's clock, which no test can move.
import { and, inArray, isNotNull, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { databaseNow } from "@/db/now";
import { prepared, slot } from "@/db/prepared";
import { transactions } from "@/db/tables";
import { lookUp } from "@/server/domains/transactions/look-up";
import { limits } from "@/server/kit/limits";
import type { World } from "./world";

type Timed = Pick<World, "runtime" | "clock">;

/** Makes charges in progress as old by the database's clock as they are by the test's. Writes only if there are any. */
export async function ageCharges({ runtime, clock }: Timed): Promise<void> {
  const [any] = await anyUnderWay(runtime.db.read, {});
  if (any) await runtime.db.write(async (tx) => void (await age(tx, { now: clock.now() })));
}

const isUnderWay = and(
  inArray(transactions.status, ["processing", "requires_action", "authorized"]),
  isNotNull(transactions.startBefore),
);

const anyUnderWay = prepared("test.any_charge", (q: Reader) =>
  q.select({ id: transactions.id }).from(transactions).where(isUnderWay).limit(1),
);

const age = prepared("test.age_charges", (tx: Tx) => {
  const elapsed = sql`cast(${slot("now")} as bigint) - ${transactions.createdAt}`;
  const startBefore = sql`${databaseNow} + ${limits.charge.startMs} - (${elapsed})`;
  return tx.update(transactions).set({ startBefore }).where(isUnderWay);
});

/** Looks a transaction up at the time of the test's clock. */
export async function lookUpNow(world: Timed, transactionId: string): ReturnType<typeof lookUp> {
  await ageCharges(world);
  return lookUp(world.runtime, transactionId);
}
