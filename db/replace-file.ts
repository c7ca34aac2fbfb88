// Replaces a SQLite file by another as a whole: after a crash at any point, one of the two is the database.
import { copyFileSync, existsSync, linkSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import BetterSqlite from "better-sqlite3";
import { renameDurably, syncToDisk } from "./durable-files";
import { enter } from "./entrance";
import { engineCode } from "./errors";

/** Another process has the database file open. */
export class FileInUse extends Error {
  override name = "FileInUse";
}

type Report = (sentence: string) => void;

/** The replacement was decided, but not finished because of `cause`. The next process to open the database does it. */
export class ReplacementUnfinished extends Error {
  override name = "ReplacementUnfinished";
  constructor(cause: unknown) {
    super("The database is replaced when it is opened next.", { cause });
  }
}

/** Files beside the database that hold part of it. SQLite would apply them to any file with the database's name. */
const logs = ["-wal", "-journal"];

/**
 * Puts the file `replacement`, a whole database without files beside it, in the place of the database at `path`. Both
 * are in file systems that can rename one to the other. Keeps the database that was there, and resolves to its new
 * path; null if there was none. `stamp`, such as 20261122T163000Z, is part of that name. Throws {@link FileInUse} if
 * another process has it open.
 *
 * The first rename decides: a crash before it changes nothing, and after it, {@link whileInPlace} does the rest. An
 * error after it is {@link ReplacementUnfinished}.
 */
export async function replaceDatabase(
  path: string,
  { replacement, stamp, report }: { replacement: string; stamp: string; report?: Report },
): Promise<string | null> {
  const rest = logs.find((suffix) => existsSync(`${replacement}${suffix}`));
  if (rest !== undefined) throw new Error(`${replacement} is not the whole database: ${rest} holds part of it.`);
  const replace = () => {
    const hadOne = existsSync(path);
    if (hadOne) closeLog(path);
    syncToDisk(replacement);
    try {
      renameDurably(replacement, `${readyPrefix(path)}${stamp}`);
      finishRestore(path);
    } catch (error) {
      throw existsSync(replacement) ? error : new ReplacementUnfinished(error);
    }
    return hadOne ? keptPath(path, stamp) : null;
  };
  return whileInPlace(path, replace, report);
}

/**
 * Finishes a replacement of the database at `path` that a crash has interrupted, and runs `work` while no other process
 * can begin one. Open the database for writing only within `work`: a process that opened it just before the file was
 * replaced would write to the old file, beside the log of the new one. `report` receives a sentence for the operator if
 * this waits for long.
 */
export async function whileInPlace<T>(path: string, work: () => T | Promise<T>, report: Report = () => {}): Promise<T> {
  const leave = await enter(path, report);
  try {
    finishRestore(path);
    return await work();
  } finally {
    leave();
  }
}

/** Does nothing if no replacement was interrupted; may itself be interrupted anywhere. */
function finishRestore(path: string): void {
  for (const name of readyFiles(path)) {
    const folder = dirname(path);
    keep(path, keptPath(path, name.slice(basename(readyPrefix(path)).length)));
    for (const suffix of [...logs, "-shm"]) rmSync(`${path}${suffix}`, { force: true });
    syncToDisk(folder);
    renameDurably(join(folder, name), path);
  }
}

/** Finishes an interrupted replacement, for a process that does not open the database to write. */
export async function finishInterruptedRestore(path: string, report?: Report): Promise<void> {
  if (readyFiles(path).length > 0) await whileInPlace(path, () => {}, report);
}

/**
 * The names of files that are to replace the database. There is one at most. Files that an operator has given similar
 * names are not among them.
 */
function readyFiles(path: string): string[] {
  const folder = dirname(path);
  const prefix = basename(readyPrefix(path));
  return existsSync(folder) ? readdirSync(folder).filter((name) => isReady(name, prefix)) : [];
}

const isReady = (name: string, prefix: string): boolean =>
  name.startsWith(prefix) && /^\d{8}T\d{6}Z$/.test(name.slice(prefix.length));

const readyPrefix = (path: string) => `${path}-restored-`;
const keptPath = (path: string, stamp: string) => `${path}-replaced-${stamp}`;

/** Gives the database a second name, so that it outlives the first. Its place is never empty. */
function keep(path: string, kept: string): void {
  for (const suffix of ["", ...logs]) {
    if (existsSync(`${path}${suffix}`) && !existsSync(`${kept}${suffix}`))
      addName(`${path}${suffix}`, `${kept}${suffix}`);
  }
  syncToDisk(dirname(path));
}

/** Links the file, or copies it where the file system has no links: exFAT and some network file systems have none. */
function addName(file: string, name: string): void {
  try {
    linkSync(file, name);
  } catch (error) {
    if (!noLinks.includes(engineCode(error) ?? "")) throw error;
    const draft = `${name}.partial`;
    copyFileSync(file, draft);
    syncToDisk(draft);
    renameDurably(draft, name);
  }
}

const noLinks = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

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
