// Applies migrations, one process at a time.

import { join } from "node:path";
import BetterSqlite from "better-sqlite3";
import { drizzle as drizzleSqlite } from "drizzle-orm/better-sqlite3";
import { migrate as migrateSqlite } from "drizzle-orm/better-sqlite3/migrator";
import { drizzle as drizzlePg } from "drizzle-orm/node-postgres";
import { migrate as migratePg } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import { dialect } from "./dialect";
import { makePrivate } from "./private-files";
import { connectSqlite, sqlitePath } from "./sqlite";

/** An arbitrary number that no other program uses for an advisory lock on this database. */
const lockNumber = 7_184_402_913;
const longestWaitMs = 60_000;

/** Applies missing migrations. `folder` contains one folder per engine. */
export async function migrateDatabase(url: string, folder = join(process.cwd(), "db/migrations")): Promise<void> {
  const migrationsFolder = join(folder, dialect);
  if (dialect === "sqlite") migrateSqliteFile(sqlitePath(url), migrationsFolder);
  else await migratePostgres(url, migrationsFolder);
}

function migrateSqliteFile(path: string, migrationsFolder: string): void {
  const connection = connectSqlite(path);
  // The migrator opens its own transaction, so the lock is on a separate file.
  const gatePath = `${path}-migrating`;
  makePrivate(gatePath);
  const gate = new BetterSqlite(gatePath, { timeout: longestWaitMs });
  try {
    gate.exec("BEGIN EXCLUSIVE");
    migrateSqlite(drizzleSqlite(connection), { migrationsFolder });
  } finally {
    gate.close();
    connection.close();
  }
}

async function migratePostgres(url: string, migrationsFolder: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, lock_timeout: longestWaitMs });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [lockNumber]);
    await migratePg(drizzlePg(client), { migrationsFolder });
  } finally {
    await client.end();
  }
}
