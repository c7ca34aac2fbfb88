// Ages of charges in tests. They follow the database's clock, which no test can move.
import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { databaseNow } from "@/db/database-clock";
import { prepared, slot } from "@/db/prepared";
import { storedMethods, transactions } from "@/db/tables";
import { lookUp } from "@/server/domains/transactions/look-up";
import { instantOf } from "@/server/kit/ids";
import { limits } from "@/server/kit/limits";
import type { World } from "./world";

type Timed = Pick<World, "runtime" | "clock">;

/**
 * Makes charges, and attempts to store a card, that are in progress as old by the database's clock as they are by the
 * test's. Their ids say when they were made in real time. Writes only if there are any.
 */
export async function ageCharges({ runtime, clock }: Timed): Promise<void> {
  const charges = await underWay(runtime.db.read, {});
  const methods = await beingStored(runtime.db.read, {});
  if (charges.length + methods.length === 0) return;
  const elapsedOf = (id: string) => ({ id, elapsed: clock.now() - instantOf(id) });
  await runtime.db.write(async (tx) => {
    for (const { id } of charges) await age(tx, elapsedOf(id));
    for (const { id } of methods) await ageStoring(tx, elapsedOf(id));
  });
}

const isUnderWay = and(
  inArray(transactions.status, ["processing", "requires_action", "authorized"]),
  isNotNull(transactions.startBefore),
);

const underWay = prepared("test.charges_under_way", (q: Reader) =>
  q.select({ id: transactions.id }).from(transactions).where(isUnderWay),
);

const beingStored = prepared("test.cards_being_stored", (q: Reader) =>
  q
    .select({ id: storedMethods.id })
    .from(storedMethods)
    .where(and(inArray(storedMethods.status, ["processing", "requires_action"]), isNotNull(storedMethods.startBefore))),
);

const aged = () => sql`${databaseNow} + ${limits.charge.startMs} - cast(${slot("elapsed")} as bigint)`;

const age = prepared("test.age_charges", (tx: Tx) =>
  tx
    .update(transactions)
    .set({ startBefore: aged() })
    .where(eq(transactions.id, slot("id"))),
);

const ageStoring = prepared("test.age_storing", (tx: Tx) =>
  tx
    .update(storedMethods)
    .set({ startBefore: aged() })
    .where(eq(storedMethods.id, slot("id"))),
);

/** Looks a transaction up at the time of the test's clock. */
export async function lookUpNow(world: Timed, transactionId: string): ReturnType<typeof lookUp> {
  await ageCharges(world);
  return lookUp(world.runtime, transactionId);
}
