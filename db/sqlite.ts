// SQLite: one writer with group commit, one read-only reader, full durability.
import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { stat, statfs } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import BetterSqlite, { type Database as Connection } from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { limits } from "../server/kit/limits";
import type { Engine, Reader, Tx } from "./client";
import { isStorageFault } from "./errors";
import { GroupCommit } from "./group-commit";
import { makePrivate } from "./private-files";
import { withSteadyPlan } from "./steady-plans";
import { type OnError, WriteAheadLog } from "./write-ahead-log";

/** Milliseconds that a connection may sleep inside SQLite for another process: while opening, and while serving. */
const busyWaits = { opening: 2_000, serving: 20 };

/** The path in a `file:` URL. */
export const sqlitePath = (url: string): string => url.replace(/^file:(\/\/)?/, "");

/** The database file itself, where the path in the URL may be a symbolic link: links name the same database. */
export const databaseFile = (url: string): string => endOfLinks(sqlitePath(url));

/**
 * A link may exist before its file does. SQLite then creates the file where the link leads. Throws ELOOP for a circle.
 */
function endOfLinks(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })) return realpathSync(path);
  const folder = dirname(path);
  if (!existsSync(folder)) return resolve(path);
  const inFolder = join(realpathSync(folder), basename(path));
  const isLink = lstatSync(inFolder, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  return isLink ? endOfLinks(resolve(dirname(inFolder), readlinkSync(inFolder))) : inFolder;
}

/** Opens a connection with the settings that make it durable, and reads them back. */
export function connectSqlite(path: string, readonly = false): Connection {
  if (!readonly) makePrivate(path);
  const connection = new BetterSqlite(path, { readonly, timeout: busyWaits.opening });
  if (!readonly) set(connection, "journal_mode", "WAL", "wal");
  // Reopening a WAL file resets this to NORMAL, which loses acknowledged commits at power loss: set it on every open.
  set(connection, "synchronous", "FULL", 2);
  // macOS: fsync alone leaves data in the drive's cache. No effect on other systems.
  set(connection, "fullfsync", "ON", 1);
  set(connection, "checkpoint_fullfsync", "ON", 1);
  set(connection, "foreign_keys", "ON", 1);
  // Otherwise INSERT OR REPLACE deletes rows of append-only tables without firing their triggers.
  set(connection, "recursive_triggers", "ON", 1);
  set(connection, "trusted_schema", "OFF", 0);
  // What is deleted or overwritten is zeroed in the file, too: personal data that was erased is gone.
  if (!readonly) set(connection, "secure_delete", "ON", 1);
  return connection;
}

/** SQLite ignores settings that it cannot apply, such as WAL on some network file systems, so each is read back. */
function set(connection: Connection, name: string, value: string, expected: string | number): void {
  connection.pragma(`${name} = ${value}`);
  const actual = connection.pragma(name, { simple: true });
  if (actual === expected) return;
  connection.close();
  throw new Error(`SQLite refused ${name}=${value} for ${connection.name} and kept ${String(actual)}.`);
}

interface SqliteEvents extends OnError {
  /** A group of transactions was committed and synced. */
  commit?(transactions: number, syncMs: number): void;
}

/** `on.fault` is called once, after an error that may have damaged the file. From then on nothing is written. */
export function openSqlite(url: string, on: SqliteEvents): Engine {
  const path = databaseFile(url);
  const writer = connectSqlite(path);
  // A commit hands the log to the system; `WriteAheadLog` syncs it to the disk before anyone is answered.
  set(writer, "synchronous", "NORMAL", 1);
  set(writer, "wal_autocheckpoint", "0", 0);
  set(writer, "journal_size_limit", String(limits.writeAheadLogBytes), limits.writeAheadLogBytes);
  // Undo data of savepoints: beyond 64 KiB it would go to a temporary file in each transaction.
  writer.pragma("temp_store = MEMORY");
  const reader = connectSqlite(path, true);
  for (const connection of [writer, reader]) steadyPlans(connection);
  // The group commit waits for other processes with a timer, which keeps the event loop free.
  writer.pragma("busy_timeout = 0");
  reader.pragma(`busy_timeout = ${busyWaits.serving}`);
  const log = new WriteAheadLog(path, { fault: (error) => group.stop(error), trouble: on.trouble });
  const stop = (error: Error) => {
    log.stop();
    on.fault(error);
  };
  const group = new GroupCommit(writer, drizzle(writer) as unknown as Tx, log, stop, on.commit);
  reportFaults(reader, (error) => group.stop(error));
  keepStatements(reader);
  let savepoints = 0;
  return {
    read: drizzle(reader) as unknown as Reader,
    write: (work) => group.write(work),
    // There is one writer, so no transaction waits for another's lock.
    writeBeside: (work) => group.write(work),
    async savepoint(_tx, work) {
      const name = `inner_${++savepoints}`;
      writer.exec(`SAVEPOINT ${name}`);
      try {
        const value = await work();
        writer.exec(`RELEASE ${name}`);
        return value;
      } catch (error) {
        if (writer.inTransaction) writer.exec(`ROLLBACK TO ${name}; RELEASE ${name}`);
        throw error;
      } finally {
        savepoints--;
      }
    },
    // One writer runs one transaction at a time, so a name is always free.
    tryLockName: async () => true,
    // Writes run one after another: all that were open have ended once this one commits.
    oldestWriteAge: () => group.write(async () => 0),
    use: async () => ({
      pools: [{ name: "write", ...group.use }],
      files: { database: await sizeOf(path), writeAheadLog: await sizeOf(`${path}-wal`) },
    }),
    facts: async () => ({
      version: String(reader.prepare("select sqlite_version()").pluck().get()),
      bytes: await sizeOf(path),
      writeAheadLogBytes: await sizeOf(`${path}-wal`),
      disk: await diskOf(dirname(path)),
    }),
    emptyLog: () => log.empty(),
    async close() {
      await group.end();
      await log.close();
      // Closing would copy the log into the database file unchecked. The next start reads what is really on the disk.
      if (group.isStopped) return;
      reader.close();
      writer.close();
    },
  };
}

/** In bytes; 0 if there is no such file. */
const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );

/** The disk that has the folder, and what this user may still write on it, in bytes; null if it cannot be read. */
const diskOf = (folder: string): Promise<{ bytes: number; freeBytes: number } | null> =>
  statfs(folder).then(
    ({ bsize, blocks, bavail }) => ({ bytes: blocks * bsize, freeBytes: bavail * bsize }),
    () => null,
  );

/**
 * Compiles each statement once, because SQLite takes longer to compile the query of a list than to find its rows. Only
 * for connections that read: there, each statement has ended before the next one begins.
 */
function keepStatements(connection: Connection): void {
  const prepare = connection.prepare.bind(connection);
  const kept = new Map<string, ReturnType<typeof prepare>>();
  connection.prepare = ((sql: string) => {
    const statement = kept.get(sql) ?? prepare(sql);
    // The text used last moves to the end; the first one is the least recently used.
    kept.delete(sql);
    kept.set(sql, statement);
    if (kept.size > limits.keptStatements) kept.delete(kept.keys().next().value as string);
    return statement;
  }) as typeof connection.prepare;
}

/** Prepares each statement so that one plan serves all values of its parameters. */
function steadyPlans(connection: Connection): void {
  const prepare = connection.prepare.bind(connection);
  connection.prepare = ((sql: string) => prepare(withSteadyPlan(sql))) as typeof connection.prepare;
}

/** Reports file errors from every statement of the connection, even if the caller catches them. */
function reportFaults(connection: Connection, report: (error: Error) => void): void {
  const prepare = connection.prepare.bind(connection);
  const noted = (error: unknown) => {
    if (error instanceof Error && isStorageFault(error)) report(error);
    return error;
  };
  connection.prepare = ((sql: string) => {
    const statement = prepare(sql);
    for (const method of ["get", "all"] as const) {
      const run = statement[method].bind(statement);
      statement[method] = (...values: unknown[]) => {
        try {
          return run(...values) as never;
        } catch (error) {
          throw noted(error);
        }
      };
    }
    return statement;
  }) as typeof connection.prepare;
}
