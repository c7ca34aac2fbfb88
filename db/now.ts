// The database's clock, for rules that processes with different clocks must agree on.
import { sql } from "drizzle-orm";
import type { Reader } from "./client";
import { databaseNow } from "./database-clock";
import { preparedOne } from "./prepared";

const read = preparedOne("database_time", (q: Reader) =>
  q.select({ now: databaseNow }).from(sql`(select 1) as present`),
);

/** Reads the database's current time in epoch milliseconds. */
export async function databaseTime(q: Reader): Promise<number> {
  const row = await read(q, {});
  if (!row) throw new Error("The database returned no time.");
  return row.now;
}
