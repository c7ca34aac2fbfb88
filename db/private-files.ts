// Files of the database that only the user who runs the process may read: they hold hashes of secrets and personal data.
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";

const sticky = 0o1000;

/** What SQLite and the product keep beside the database file. */
const companions = ["", "-wal", "-shm", "-journal", ".lock", "-migrating"];

/**
 * Makes the database file at `path` and what is beside it readable by their owner alone, and makes the file and its
 * folder if they are missing. SQLite gives the files that it makes later the mode of the database file. A folder that is
 * there already is left as it is, since it may serve others too.
 */
export function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Never opened where it exists: closing it would drop the locks that SQLite holds on it in this process.
  if (!existsSync(path)) createEmpty(path);
  for (const companion of companions) setMode(`${path}${companion}`, 0o600);
}

/** Makes the folder readable by its owner alone, if it is there. */
export const makeFolderPrivate = (folder: string): void => setMode(folder, 0o700);

function createEmpty(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    // Another process was first.
    if (!hasCode(error, "EEXIST")) throw error;
  }
}

/** Leaves alone what belongs to another user, whose decision it is, and folders such as /tmp that are for all users. */
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
