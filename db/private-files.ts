// Makes database files readable by their owner only: they contain hashes of secrets and personal data.
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";

const sticky = 0o1000;

/** Suffixes of the files that SQLite and the product keep beside the database file. */
const companions = ["", "-wal", "-shm", "-journal", ".lock", "-migrating"];

/**
 * Makes the database file at `path` and the files beside it readable by their owner only, creating the file and its
 * folder if necessary. SQLite gives its later files the mode of the database file. An existing folder keeps its mode,
 * because other programs may use it too.
 */
export function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Never open an existing file: closing it would drop the locks that SQLite has on it in this process.
  if (!existsSync(path)) createEmpty(path);
  for (const companion of companions) setMode(`${path}${companion}`, 0o600);
}

/** Makes an existing folder readable by its owner only. */
export const makeFolderPrivate = (folder: string): void => setMode(folder, 0o700);

function createEmpty(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    // Another process created it first.
    if (!hasCode(error, "EEXIST")) throw error;
  }
}

/** Skips files of other users, and shared folders such as /tmp. */
function setMode(path: string, mode: number): void {
  try {
    const stat = statSync(path);
    const isOurs = (process.getuid?.() ?? stat.uid) === stat.uid;
    if (isOurs && (stat.mode & sticky) === 0 && (stat.mode & 0o777) !== mode) chmodSync(path, mode);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
