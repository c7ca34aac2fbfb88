// Row locks. PostgreSQL takes them in id order, so that opposite transfers cannot deadlock; SQLite's one writer needs none.
import { asc, inArray } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Tx } from "./client";
import { dialect } from "./dialect";

/** Holds the rows with these ids until the transaction ends. */
export async function lock(tx: Tx, table: PgTable & { id: AnyPgColumn }, ids: readonly string[]): Promise<void> {
  if (dialect === "sqlite" || ids.length === 0) return;
  await tx
    .select({ id: table.id })
    .from(table)
    .where(inArray(table.id, [...new Set(ids)].sort()))
    .orderBy(asc(table.id))
    .for("update");
}
