// One app process per SQLite file, enforced by an operating-system lock that ends with the process.
import { dialect } from "./dialect";
import { enter } from "./entrance";
import { lockFile } from "./file-lock";
import { databaseFile } from "./sqlite";

/** Another process, which serves or restores the SQLite file, keeps servers away from it. */
export class DatabaseInUse extends Error {
  constructor(readonly path: string) {
    super(`Another process is using the database ${path}.`);
    this.name = "DatabaseInUse";
  }
}

/**
 * Makes this the only app process of the SQLite file until it exits, or calls the returned function; throws
 * {@link DatabaseInUse} if there is another. Rate limits and running idempotency keys are known to one process only,
 * and two would compete for the writer. Ledger checks, backups, other commands and workers take this lock only while
 * they migrate the file. So this passes the entrance first, which waits for a migration; `report` receives a sentence
 * for the operator if that takes long. PostgreSQL serves many processes, so there it does nothing.
 */
export async function lockDatabase(url: string, report: (sentence: string) => void = () => {}): Promise<() => void> {
  if (dialect !== "sqlite") return () => {};
  const path = databaseFile(url);
  const leave = await enter(path, report);
  try {
    const unlock = tryLock(path);
    if (unlock === null) throw new DatabaseInUse(path);
    return unlock;
  } finally {
    leave();
  }
}

const slot = Symbol.for("quittance.locked-databases");
/** The files that this process has locked. Shared between our bundle and Next's. */
const shared = globalThis as typeof globalThis & { [slot]?: Set<string> };
shared[slot] ??= new Set();
const ours = shared[slot];

/**
 * Keeps servers of other processes away from the SQLite file at `path`, a path without links, until the returned
 * function is called. Null if another process is its server.
 */
export const lockUnlessOurs = (path: string): (() => void) | null => (ours.has(path) ? () => {} : tryLock(path));

function tryLock(path: string): (() => void) | null {
  const unlock = lockFile(`${path}.lock`, 0);
  if (unlock === null) return null;
  ours.add(path);
  return () => {
    ours.delete(path);
    unlock();
  };
}
