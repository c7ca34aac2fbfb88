// One app process per SQLite file, enforced by an operating-system lock that ends with the process.
import { existsSync, realpathSync } from "node:fs";
import BetterSqlite, { type Database as Connection } from "better-sqlite3";
import { dialect } from "./dialect";
import { engineCode } from "./errors";
import { makePrivate } from "./private-files";
import { sqlitePath } from "./sqlite";

/** Another app process is using the SQLite file. */
export class DatabaseInUse extends Error {
  constructor(readonly path: string) {
    super(`Another app process is using the database ${path}.`);
    this.name = "DatabaseInUse";
  }
}

/** Kept open while the process lives: a garbage-collected connection would drop its lock. */
const locks: Connection[] = [];

/**
 * Makes this the only app process of the SQLite file until it exits; throws {@link DatabaseInUse} if there is another.
 * Rate limits and running idempotency keys are known to one process only, and two would compete for the writer.
 * Ledger checks, commands and workers do not take this lock. PostgreSQL serves many processes, so there it does
 * nothing.
 */
export function lockDatabase(url: string): void {
  if (dialect !== "sqlite") return;
  const given = sqlitePath(url);
  // Links to the same file name the same database.
  const path = existsSync(given) ? realpathSync(given) : given;
  const lockPath = `${path}.lock`;
  makePrivate(lockPath);
  const lock = new BetterSqlite(lockPath, { timeout: 0 });
  try {
    // SQLite's own locks work on every platform. The transaction never ends and writes nothing.
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    throw engineCode(error)?.startsWith("SQLITE_BUSY") ? new DatabaseInUse(path) : error;
  }
  locks.push(lock);
}
