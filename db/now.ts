// The database's own time, for what processes whose clocks may differ must agree on.
import { sql } from "drizzle-orm";
import { dialect } from "./dialect";

/** The database's present time in epoch milliseconds. It goes on within a transaction. */
export const databaseNow = (
  dialect === "postgres"
    ? sql`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
    : sql`cast(unixepoch('subsec') * 1000 as integer)`
).mapWith(Number);
