// One vocabulary of columns for two dialects. PostgreSQL's builders give the types; SQLite's are cast to them, once.
import { type SQL, sql } from "drizzle-orm";
import * as pg from "drizzle-orm/pg-core";
import * as lite from "drizzle-orm/sqlite-core";
import { databaseNow } from "./database-clock";

export const postgres = {
  table: pg.pgTable,
  index: pg.index,
  uniqueIndex: pg.uniqueIndex,
  primaryKey: pg.primaryKey,
  check: pg.check,
  /** For indices: orders the column by its bytes, so that a prefix is a range in every locale. */
  bytewise: (column: pg.AnyPgColumn): SQL => sql`${column} collate "C"`,
  text: <N extends string>(name: N) => pg.text(name),
  oneOf: <N extends string, const V extends [string, ...string[]]>(name: N, values: V) =>
    pg.text(name, { enum: values }),
  integer: <N extends string>(name: N) => pg.integer(name),
  /** An integer number of minor units of a currency, below 2^53. */
  money: <N extends string>(name: N) => pg.bigint(name, { mode: "number" }),
  /** Epoch milliseconds, UTC. */
  instant: <N extends string>(name: N) => pg.bigint(name, { mode: "number" }),
  /**
   * When the row was last written, in real time by the database's clock: never the organization's time, which a sandbox
   * moves. Every insert and update sets it.
   */
  changedAt: () =>
    pg
      .bigint("changed_at", { mode: "number" })
      .notNull()
      .$onUpdateFn(() => databaseNow),
  boolean: <N extends string>(name: N) => pg.boolean(name),
  json:
    <T>() =>
    <N extends string>(name: N) =>
      pg.json(name).$type<T>(),
};

export type Columns = typeof postgres;

const sqliteWords = {
  table: lite.sqliteTable,
  index: lite.index,
  uniqueIndex: lite.uniqueIndex,
  primaryKey: lite.primaryKey,
  check: lite.check,
  bytewise: (column: unknown) => column,
  text: (name: string) => lite.text(name),
  oneOf: (name: string, values: [string, ...string[]]) => lite.text(name, { enum: values }),
  integer: (name: string) => lite.integer(name),
  money: (name: string) => lite.integer(name, { mode: "number" }),
  instant: (name: string) => lite.integer(name, { mode: "number" }),
  changedAt: () =>
    lite
      .integer("changed_at", { mode: "number" })
      .notNull()
      .$onUpdateFn(() => databaseNow),
  boolean: (name: string) => lite.integer(name, { mode: "boolean" }),
  json: () => (name: string) => lite.text(name, { mode: "json" }),
} satisfies Record<keyof Columns, unknown>;

/** The same vocabulary on SQLite. This is the only place where types are cast. */
export const sqlite = sqliteWords as unknown as Columns;
