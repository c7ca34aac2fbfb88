// Raw access to the database that bypasses triggers and foreign keys, and restores the tables afterwards.
import BetterSqlite from "better-sqlite3";
import pg from "pg";
import { dialect } from "@/db/dialect";
import { sqlitePath } from "@/db/sqlite";

type Row = Record<string, unknown>;

interface Engine {
  rows(sql: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

export interface RawAccess {
  /** Runs statements without triggers and foreign keys. `?` marks a value. */
  run(sql: string, ...values: unknown[]): Promise<Row[]>;
  /** Restores every row of the given tables to its initial state. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Opens raw access to these tables of the database. */
export async function openRawAccess(url: string, tables: readonly string[]): Promise<RawAccess> {
  const engine = dialect === "sqlite" ? onSqlite(url) : await onPostgres(url);
  const before = new Map<string, Row[]>();
  for (const table of tables) before.set(table, await engine.rows(`select * from ${table}`));
  return {
    run: (sql, ...values) => engine.rows(sql, values),
    async restore() {
      for (const [table, rows] of before) {
        await engine.rows(`delete from ${table}`);
        const columns = Object.keys(rows[0] ?? {});
        if (columns.length === 0) continue;
        const slots = rows.map(() => `(${columns.map(() => "?").join(", ")})`);
        const values = rows.flatMap((row) => columns.map((column) => asParameter(row[column])));
        await engine.rows(`insert into ${table} (${columns.join(", ")}) values ${slots.join(", ")}`, values);
      }
    },
    close: () => engine.close(),
  };
}

/** JSON columns are returned as objects on one engine and as text on the other. Both accept text. */
const asParameter = (value: unknown) => (value !== null && typeof value === "object" ? JSON.stringify(value) : value);

function onSqlite(url: string): Engine {
  const connection = new BetterSqlite(sqlitePath(url));
  connection.pragma("foreign_keys = OFF");
  connection.pragma("ignore_check_constraints = ON");
  const triggers = () =>
    connection.prepare("select name, sql from sqlite_master where type = 'trigger'").all() as {
      name: string;
      sql: string;
    }[];
  return {
    async rows(sql, values = []) {
      if (/^(drop|create) /i.test(sql)) {
        connection.exec(sql);
        return [];
      }
      const statement = connection.prepare(sql);
      if (statement.reader) return statement.all(...values) as Row[];
      // SQLite cannot disable triggers, so they are dropped and created again around the change.
      connection.transaction(() => {
        const guards = triggers();
        for (const { name } of guards) connection.exec(`drop trigger ${name}`);
        connection.prepare(sql).run(...values);
        for (const guard of guards) connection.exec(guard.sql);
      })();
      return [];
    },
    async close() {
      connection.close();
    },
  };
}

async function onPostgres(url: string): Promise<Engine> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("set session_replication_role = replica");
  const checks = await client.query<{ text: string }>(
    "select format('alter table %s drop constraint %I', conrelid::regclass, conname) as text from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace",
  );
  for (const { text } of checks.rows) await client.query(text);
  return {
    async rows(sql, values = []) {
      let number = 0;
      const result = await client.query<Row>(
        sql.replace(/\?/g, () => `$${++number}`),
        values,
      );
      return result.rows;
    },
    close: () => client.end(),
  };
}
