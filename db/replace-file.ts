// Replaces a SQLite file by another as a whole: after a crash at any point, one of the two is the database.
import { existsSync, linkSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import BetterSqlite from "better-sqlite3";
import { renameDurably, syncToDisk } from "./durable-files";
import { enter } from "./entrance";
import { engineCode } from "./errors";

/** Another process has the database file open. */
export class FileInUse extends Error {
  override name = "FileInUse";
}

/** Files beside the database that hold part of it. SQLite would apply them to any file with the database's name. */
const logs = ["-wal", "-journal"];

/**
 * Puts the file `replacement`, a whole database without files beside it, in the place of the database at `path`. Both
 * are in file systems that can rename one to the other. Keeps the database that was there, and resolves to its new
 * path; null if there was none. `stamp` is part of that name. Throws {@link FileInUse} if another process has it open.
 *
 * The first rename decides: a crash before it changes nothing, and after it, {@link finishRestore} does the rest.
 */
export async function replaceDatabase(path: string, replacement: string, stamp: string): Promise<string | null> {
  const rest = logs.find((suffix) => existsSync(`${replacement}${suffix}`));
  if (rest !== undefined) throw new Error(`${replacement} is not the whole database: ${rest} holds part of it.`);
  const leave = await enter(path);
  try {
    finishRestore(path);
    const hadOne = existsSync(path);
    if (hadOne) closeLog(path);
    syncToDisk(replacement);
    renameDurably(replacement, `${readyPrefix(path)}${stamp}`);
    finishRestore(path);
    return hadOne ? keptPath(path, stamp) : null;
  } finally {
    leave();
  }
}

/**
 * Finishes a replacement that a crash has interrupted. Call it in the entrance, before the database is opened. Does
 * nothing if there is none; may itself be interrupted anywhere.
 */
export function finishRestore(path: string): void {
  for (const name of readyFiles(path)) {
    const folder = dirname(path);
    keep(path, keptPath(path, name.slice(basename(readyPrefix(path)).length)));
    for (const suffix of [...logs, "-shm"]) rmSync(`${path}${suffix}`, { force: true });
    syncToDisk(folder);
    renameDurably(join(folder, name), path);
  }
}

/** Like {@link finishRestore}, for a process that does not open the database to write. */
export async function finishInterruptedRestore(path: string): Promise<void> {
  if (readyFiles(path).length === 0) return;
  const leave = await enter(path);
  try {
    finishRestore(path);
  } finally {
    leave();
  }
}

/** The names of files that are to replace the database. There is one at most. */
function readyFiles(path: string): string[] {
  const folder = dirname(path);
  const prefix = basename(readyPrefix(path));
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(prefix)) : [];
}

const readyPrefix = (path: string) => `${path}-restored-`;
const keptPath = (path: string, stamp: string) => `${path}-replaced-${stamp}`;

/** Gives the database a second name, so that it outlives the first. Its place is never empty. */
function keep(path: string, kept: string): void {
  for (const suffix of ["", ...logs]) {
    if (existsSync(`${path}${suffix}`) && !existsSync(`${kept}${suffix}`))
      linkSync(`${path}${suffix}`, `${kept}${suffix}`);
  }
  syncToDisk(dirname(path));
}

/**
 * Moves what is in the log into the database file, which then is the whole database. SQLite allows it only if nobody
 * else has the file open. A damaged file is left as it is: its log is kept with it.
 */
export function closeLog(path: string): void {
  try {
    // A connection that may write empties the log when it closes, even if it could not read the file.
    readSchema(path);
    const connection = new BetterSqlite(path, { fileMustExist: true, timeout: 0 });
    try {
      connection.pragma("synchronous = FULL");
      connection.pragma("checkpoint_fullfsync = ON");
      connection.pragma("journal_mode = DELETE");
    } finally {
      connection.close();
    }
  } catch (error) {
    if (engineCode(error)?.startsWith("SQLITE_BUSY")) throw new FileInUse(path);
    if (!/^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(engineCode(error) ?? "")) throw error;
  }
}

function readSchema(path: string): void {
  const connection = new BetterSqlite(path, { readonly: true, fileMustExist: true });
  try {
    connection.pragma("schema_version");
  } finally {
    connection.close();
  }
}
