// Copies of a SQLite database that others are using, and the checks that SQLite itself can make of a copy.
import type { Database as Connection } from "better-sqlite3";
import { engineCode } from "./errors";
import { connectSqlite } from "./sqlite";

/**
 * Copies the database at `path`, as it was committed at one instant, to the empty file `target`. Takes no lock that a
 * writer waits for. Until it is done, the write-ahead log grows by what others write: it is copied into the database,
 * but not restarted. (The online backup API starts again after each write of another process, and would not finish
 * under load.) Blocks this thread: call it in a process of its own.
 */
export function copySqlite(path: string, target: string): void {
  const source = connectSqlite(path, true);
  try {
    source.prepare("VACUUM INTO ?").run(target);
  } finally {
    source.close();
  }
}

/** The most bytes that a copy of the database at `path` can take. */
export function sizeOf(path: string): number {
  const source = connectSqlite(path, true);
  try {
    const number = (name: string) => Number(source.pragma(name, { simple: true }));
    return number("page_count") * number("page_size");
  } finally {
    source.close();
  }
}

/**
 * What is wrong with the database file at `path` according to SQLite: pages, indices, foreign keys. Null if nothing.
 */
export function damageOf(path: string): string | null {
  try {
    const connection = connectSqlite(path, true);
    try {
      return brokenPage(connection) ?? brokenReference(connection);
    } finally {
      connection.close();
    }
  } catch (error) {
    const code = engineCode(error);
    if (error instanceof Error && /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(code ?? "")) return error.message;
    throw error;
  }
}

function brokenPage(connection: Connection): string | null {
  const first = String(connection.pragma("integrity_check(1)", { simple: true }));
  return first === "ok" ? null : first;
}

function brokenReference(connection: Connection): string | null {
  for (const row of connection.prepare("PRAGMA foreign_key_check").iterate()) {
    const { table, parent } = row as { table: string; parent: string };
    return `A row of ${table} refers to a row of ${parent} that does not exist.`;
  }
  return null;
}
