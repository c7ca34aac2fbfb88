// Keeps a condition out of the planner's choice of index, where a query must walk one particular index.
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { dialect } from "./dialect";

/**
 * The column as an expression that no SQLite index serves (`+column`). SQLite picks the index with the most equal
 * columns, which would not be the one in list order. PostgreSQL estimates how many rows each condition leaves.
 */
export const unindexed = (column: AnyPgColumn): SQL => (dialect === "sqlite" ? sql`+${column}` : sql`${column}`);
