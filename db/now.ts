// The database's clock, for rules that processes with different clocks must agree on.
import { sql } from "drizzle-orm";
import type { Reader } from "./client";
import { dialect } from "./dialect";
import { preparedOne } from "./prepared";

/** The database's current time in epoch milliseconds. It advances within a transaction. */
export const databaseNow = (
  dialect === "postgres"
    ? sql`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
    : sql`cast(unixepoch('subsec') * 1000 as integer)`
).mapWith(Number);

const read = preparedOne("database_time", (q: Reader) =>
  q.select({ now: databaseNow }).from(sql`(select 1) as present`),
);

/** Reads the database's current time in epoch milliseconds. */
export async function databaseTime(q: Reader): Promise<number> {
  const row = await read(q, {});
  if (!row) throw new Error("The database returned no time.");
  return row.now;
}
