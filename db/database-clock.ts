// The database's clock, as an expression that every statement can contain.
import { sql } from "drizzle-orm";
import { dialect } from "./dialect";

/** The database's current time in epoch milliseconds. It advances within a transaction. */
export const databaseNow = (
  dialect === "postgres"
    ? sql`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
    : sql`cast(unixepoch('subsec') * 1000 as integer)`
).mapWith(Number);
