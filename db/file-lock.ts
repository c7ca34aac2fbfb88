// Locks between processes: an operating-system lock on a file, which ends with its process, even after `kill -9`.
import BetterSqlite from "better-sqlite3";
import { engineCode } from "./errors";
import { makePrivate } from "./private-files";

/**
 * Locks the file at `path`, creating it if necessary, and returns a function that unlocks it. Waits up to `waitMs`
 * milliseconds, blocking this thread. Null if another process, or another caller in this one, keeps the lock.
 */
export function lockFile(path: string, waitMs: number): (() => void) | null {
  makePrivate(path);
  const lock = new BetterSqlite(path, { timeout: waitMs });
  try {
    // SQLite's own locks work on every platform. The transaction writes nothing.
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (engineCode(error)?.startsWith("SQLITE_BUSY")) return null;
    throw error;
  }
  held.add(lock);
  return () => {
    held.delete(lock);
    lock.close();
  };
}

/** A garbage-collected connection would drop its lock. */
const held = new Set<unknown>();
