// Keeping a condition out of the choice of an index, where a query is bounded by walking one index and no other.
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { dialect } from "./dialect";

/**
 * The column as a value that no index of SQLite serves (`+column`). SQLite chooses by the number of equal columns and
 * would leave the index that is walked in order; PostgreSQL knows how many rows each condition leaves.
 */
export const unindexed = (column: AnyPgColumn): SQL => (dialect === "sqlite" ? sql`+${column}` : sql`${column}`);
