// Row locks. PostgreSQL takes them in id order, so that opposite transfers cannot deadlock; SQLite's one writer needs none.
import { asc, inArray } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Tx } from "./client";
import { dialect } from "./dialect";
import { preparedByShape } from "./shapes";

type Lockable = PgTable & { id: AnyPgColumn };

const statements = new Map<Lockable, ReturnType<typeof lockStatement>>();

const lockStatement = (table: Lockable) =>
  preparedByShape<{ ids: readonly string[] }, unknown[]>((q, { ids }) =>
    q
      .select({ id: table.id })
      .from(table)
      .where(inArray(table.id, [...ids]))
      .orderBy(asc(table.id))
      .for("update"),
  );

/** Holds the rows with these ids until the transaction ends. */
export async function lock(tx: Tx, table: Lockable, ids: readonly string[]): Promise<void> {
  if (dialect === "sqlite" || ids.length === 0) return;
  const statement = statements.get(table) ?? lockStatement(table);
  statements.set(table, statement);
  await statement(tx, { ids: [...new Set(ids)].sort() });
}
