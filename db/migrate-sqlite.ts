// Migrations on SQLite: each in one transaction, while no other process serves anyone.
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database as Connection } from "better-sqlite3";
import { minuteMs } from "../server/kit/limits";
import { expectAll, type Migration, MigrationBlocked, missingOf } from "./migration-files";
import { lockUnlessOurs } from "./process-lock";
import { finishInterruptedRestore, whileInPlace } from "./replace-file";
import { connectSqlite, databaseFile } from "./sqlite";

type Report = (sentence: string) => void;

/** How often, and for how long, a process waits for a server of an earlier version. Milliseconds. */
export const waits = { every: 100, longest: 10 * minuteMs };

/** Recorded in the table that drizzle's own migrator uses. */
const bookkeeping = `create table if not exists __drizzle_migrations (
  id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)`;

/**
 * A server that is using the database would continue by the rules of its own version. So this waits until the server
 * has stopped, or has migrated the database itself, which it does if it has only just started.
 */
export async function migrateSqlite(url: string, migrations: readonly Migration[], report: Report): Promise<void> {
  const path = databaseFile(url);
  const deadline = performance.now() + waits.longest;
  for (let isFirst = true; !(await tryMigrating(path, migrations, report)); isFirst = false) {
    if (isFirst) report("a server or a restore is using the database: waiting until it has migrated it or ended");
    if (performance.now() > deadline) {
      throw new MigrationBlocked("A server of an earlier version, or a restore, is using the database. Stop it first.");
    }
    await sleep(waits.every);
  }
}

/** Whether the schema is now current. If not, nothing was changed, because a server uses the database. */
const tryMigrating = (path: string, migrations: readonly Migration[], report: Report): Promise<boolean> =>
  whileInPlace(
    path,
    () => {
      const connection = connectSqlite(path);
      try {
        connection.exec(bookkeeping);
        const recorded = recordedIn(connection);
        const missing = missingOf(migrations, recorded);
        // No other version uses a new database, or a current one.
        const unlock = recorded.length > 0 && missing.length > 0 ? lockUnlessOurs(path) : () => {};
        if (unlock === null) return false;
        try {
          for (const migration of missing) {
            report(`applying migration ${migration.tag}`);
            apply(connection, migration);
          }
        } finally {
          unlock();
        }
        return true;
      } finally {
        connection.close();
      }
    },
    report,
  );

/** Throws unless the file records exactly these migrations. First finishes a restore that was interrupted. */
export async function expectMigratedSqlite(
  url: string,
  migrations: readonly Migration[],
  report: Report,
): Promise<void> {
  const path = databaseFile(url);
  await finishInterruptedRestore(path, report);
  if (!existsSync(path)) expectAll(migrations, []);
  await whileInPlace(path, () => expectAll(migrations, recordedInFile(path)), report);
}

/** Which migrations the SQLite file at `path` records, by `when`; none if it is another program's. */
export function recordedInFile(path: string): number[] {
  const connection = connectSqlite(path, true);
  try {
    const table = connection.prepare("select 1 from sqlite_master where type = 'table' and name = ?");
    return table.get("__drizzle_migrations") ? recordedIn(connection) : [];
  } finally {
    connection.close();
  }
}

const recordedIn = (connection: Connection): number[] =>
  connection.prepare("select created_at from __drizzle_migrations").pluck().all().map(Number);

/**
 * Runs a migration's statements in one transaction. A migration that replaces a table begins by switching foreign keys
 * off, which SQLite ignores within a transaction. So they are off around it, and checked before COMMIT
 * (https://sqlite.org/lang_altertable.html#otheralter). References that were broken before are not its fault.
 */
function apply(connection: Connection, { when, hash, statements, tag }: Migration): void {
  const replacesTable = statements.some((statement) => /^\s*pragma foreign_keys\s*=\s*off/i.test(statement));
  if (replacesTable) connection.pragma("foreign_keys = OFF");
  try {
    connection
      .transaction(() => {
        const before = replacesTable ? brokenReferences(connection) : null;
        for (const statement of statements) connection.exec(statement);
        if (before) refuseBroken(before, brokenReferences(connection), tag);
        connection.prepare("insert into __drizzle_migrations (hash, created_at) values (?, ?)").run(hash, when);
      })
      .immediate();
  } finally {
    connection.pragma("foreign_keys = ON");
  }
}

/** How many rows of a table refer to missing rows of another, by both names. */
function brokenReferences(connection: Connection): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of connection.prepare("pragma foreign_key_check").iterate()) {
    const { table, parent } = row as { table: string; parent: string };
    const what = `${table} refers to a missing row of ${parent}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return counts;
}

function refuseBroken(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>, tag: string): void {
  for (const [what, count] of after) {
    if (count > (before.get(what) ?? 0)) throw new Error(`migration ${tag}: a row of ${what}`);
  }
}
