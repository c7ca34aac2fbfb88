// One app process per SQLite file, held by a lock of the operating system that ends with the process, however it ends.
import { existsSync, realpathSync } from "node:fs";
import BetterSqlite, { type Database as Connection } from "better-sqlite3";
import { dialect } from "./dialect";
import { engineCode } from "./errors";
import { makePrivate } from "./private-files";
import { sqlitePath } from "./sqlite";

/** Another app process uses the SQLite file. */
export class DatabaseInUse extends Error {
  constructor(readonly path: string) {
    super(`Another app process uses the database ${path}.`);
    this.name = "DatabaseInUse";
  }
}

/** Open for as long as the process lives: a connection that is garbage collected would drop its lock. */
const held: Connection[] = [];

/**
 * Makes this process the one app process of the SQLite file, until it ends; throws {@link DatabaseInUse} if there is one.
 * Limits and idempotency keys that are in use are known to one process only, and two would share the writer badly.
 * Proofs, commands and workers do not take the lock. On PostgreSQL, where many processes serve, nothing happens.
 */
export function holdDatabase(url: string): void {
  if (dialect !== "sqlite") return;
  const given = sqlitePath(url);
  // One file is one database, under whatever link it is named.
  const path = existsSync(given) ? realpathSync(given) : given;
  const lockPath = `${path}.lock`;
  makePrivate(lockPath);
  const lock = new BetterSqlite(lockPath, { timeout: 0 });
  try {
    // SQLite's own locks work on every platform. The transaction is never ended and writes nothing.
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    throw engineCode(error)?.startsWith("SQLITE_BUSY") ? new DatabaseInUse(path) : error;
  }
  held.push(lock);
}
