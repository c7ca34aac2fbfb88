// What the two engines' errors mean to us, recognised in one place.

/** The engine cannot take the work now (full disk, lost connection, too many conflicts); trying again later may help. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super("The database cannot take the work now.", { cause });
    this.name = "DatabaseUnavailable";
  }
}

/** A transaction lost a race that no lock could prevent; run again as a whole, it sees what the winner wrote. */
export class LostRace extends Error {
  /** PostgreSQL's code for a serialisation failure, which has the transaction run again. */
  readonly code = "40001";

  constructor(cause: unknown) {
    super("Another transaction was first.", { cause });
    this.name = "LostRace";
  }
}

/** The engine's own code, also when the query builder has wrapped its error. */
export function engineCode(error: unknown): string | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ("code" in e && typeof e.code === "string") return e.code;
  }
  return undefined;
}

/** A conflict between transactions after which PostgreSQL wants the whole transaction run again. */
export const isConflict = (error: unknown): boolean => ["40001", "40P01"].includes(engineCode(error) ?? "");

/** A row that breaks a unique index, on either engine. */
export const isUniqueViolation = (error: unknown): boolean =>
  ["23505", "SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY"].includes(engineCode(error) ?? "");

const unavailableCodes = new RegExp(
  `^(${[
    "SQLITE_(BUSY|FULL|IOERR|NOMEM|CANTOPEN|LOCKED|READONLY|CORRUPT|NOTADB)",
    // PostgreSQL (appendix A of its manual): connection, resources, lock wait, operator, input and output.
    "08|53|55P03|57P0|58030",
    // A statement or transaction that took too long, or was canceled by an operator.
    "57014|25P03|25P04",
    // A server that takes no writes: a standby, or a primary that is being switched over.
    "25006",
    "ECONN|EHOST|ENET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE",
  ].join("|")})`,
);

const readTimeout = "Query read timeout";

/** What the driver says without a code of its own, to the letter: within a message may stand a text of the caller. */
const unavailableMessages: ReadonlySet<string> = new Set([
  "Connection terminated",
  "Connection terminated unexpectedly",
  "Connection terminated due to connection timeout",
  "timeout exceeded when trying to connect",
  readTimeout,
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
  "Cannot use a pool after calling end on the pool",
]);

/** Whether the fault lies with the engine's surroundings and not with the query. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable ||
  unavailableCodes.test(engineCode(error) ?? "") ||
  (error instanceof Error && (unavailableMessages.has(error.message) || isUnavailable(error.cause)));

/**
 * Whether PostgreSQL ended a statement or transaction because it took too long, or because an operator canceled it. It
 * will take too long the next time as well, unless the server was merely slow.
 */
export const tookTooLong = (error: unknown): boolean =>
  /^(57014|25P03|25P04)/.test(engineCode(error) ?? "") ||
  (error instanceof Error && (error.message === readTimeout || tookTooLong(error.cause)));

const storageFaults = /^SQLITE_(IOERR|CORRUPT|NOTADB)/;

/**
 * Whether SQLite could not read or write its file. What the kernel still holds of the file may then differ from the disk,
 * so a process that goes on could answer from data that the disk does not have: it must close and start again.
 */
export const isStorageFault = (error: unknown): boolean => storageFaults.test(engineCode(error) ?? "");

/**
 * Takes the values of a failed query out of the error and its causes, in place: the query builder writes its parameters
 * into the message, and PostgreSQL the offending row into its detail. They hold personal data and hashes of secrets.
 */
export function forgetValues(error: unknown): unknown {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ("detail" in e) e.detail = undefined;
    if (!("params" in e) || !("query" in e)) continue;
    const message = `Failed query: ${String(e.query)}`;
    e.stack = e.stack?.replace(e.message, () => message);
    e.message = message;
    e.params = undefined;
  }
  return error;
}
