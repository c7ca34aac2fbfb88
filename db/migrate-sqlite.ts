// Migrations on SQLite: each in one transaction, before the process serves anyone.
import { setTimeout as sleep } from "node:timers/promises";
import BetterSqlite, { type Database as Connection } from "better-sqlite3";
import { engineCode } from "./errors";
import { type Migration, MigrationBlocked, missingOf } from "./migration-files";
import { makePrivate } from "./private-files";
import { connectSqlite, sqlitePath } from "./sqlite";

/** How often, and for how long, a process asks whether another has finished migrating. Milliseconds. */
const gateWaits = { every: 50, longest: 600_000 };

/** Recorded in the table that drizzle's own migrator uses. */
const bookkeeping = `create table if not exists __drizzle_migrations (
  id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)`;

export async function migrateSqlite(
  url: string,
  migrations: readonly Migration[],
  report: (sentence: string) => void,
): Promise<void> {
  const path = sqlitePath(url);
  const connection = connectSqlite(path);
  // Each migration opens its own transaction, so the lock is on a separate file.
  const gatePath = `${path}-migrating`;
  makePrivate(gatePath);
  const gate = new BetterSqlite(gatePath, { timeout: 0 });
  try {
    await enter(gate);
    connection.exec(bookkeeping);
    const recorded = connection.prepare("select created_at from __drizzle_migrations").pluck().all().map(Number);
    for (const migration of missingOf(migrations, recorded)) {
      report(`applying migration ${migration.tag}`);
      apply(connection, migration);
    }
  } finally {
    gate.close();
    connection.close();
  }
}

function apply(connection: Connection, { when, hash, statements }: Migration): void {
  connection
    .transaction(() => {
      for (const statement of statements) connection.exec(statement);
      connection.prepare("insert into __drizzle_migrations (hash, created_at) values (?, ?)").run(hash, when);
    })
    .immediate();
}

/** Waits with a timer until no other process migrates this file. The transaction ends when the gate is closed. */
async function enter(gate: Connection): Promise<void> {
  for (const deadline = Date.now() + gateWaits.longest; ; ) {
    try {
      gate.exec("BEGIN EXCLUSIVE");
      return;
    } catch (error) {
      if (!engineCode(error)?.startsWith("SQLITE_BUSY")) throw error;
      if (Date.now() > deadline) throw new MigrationBlocked("Another process is still migrating the database.", error);
    }
    await sleep(gateWaits.every);
  }
}
