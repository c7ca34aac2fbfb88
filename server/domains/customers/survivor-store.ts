// Which customers those lead to that were merged into another.
import { inArray, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { LostRace } from "@/db/errors";
import { lock } from "@/db/lock";
import { customers } from "@/db/tables";
import { readCustomer } from "./store";

/** The ids of the customers that these lead to: their own, unless they were merged. */
export async function survivorsOf(q: Reader | Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await q
    .select({ id: customers.id, survivor: sql<string>`coalesce(${customers.mergedInto}, ${customers.id})` })
    .from(customers)
    .where(inArray(customers.id, [...ids]));
  return new Map(rows.map(({ id, survivor }) => [id, survivor]));
}

/** The id of the customer that this one leads to, which cannot be merged itself until the transaction ends. */
export async function keepSurvivor(tx: Tx, id: string): Promise<string> {
  const survivor = async () => (await readCustomer(tx, id))?.mergedInto ?? id;
  const seen = await survivor();
  await lock(tx, customers, [seen], "keep");
  if ((await survivor()) !== seen) throw new LostRace(new Error("The customer was merged meanwhile."));
  return seen;
}
