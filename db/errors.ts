// Classifies the errors of both engines in one place.

import type { Tx } from "./client";

const unavailableName = "DatabaseUnavailable";

/** The engine cannot take the work now (full disk, lost connection, too many conflicts). A retry may succeed. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super("The database is unavailable.", { cause });
    this.name = unavailableName;
  }
}

/** The transaction lost a race that no lock could prevent. Run again, it sees the rows of the winner. */
export class LostRace extends Error {
  /** PostgreSQL's code for a serialization failure: the transaction runs again. */
  readonly code = "40001";

  /** `wait` waits for the winner, in a transaction that holds nothing else. Without it, a short while is enough. */
  constructor(
    cause: unknown,
    readonly wait: Wait | null = null,
  ) {
    super("Another transaction wrote first.", { cause });
    this.name = "LostRace";
  }
}

type Wait = (tx: Tx) => Promise<void>;

/** How to wait before a transaction that lost a race runs again; null if a short while is enough. */
export function waitAfter(error: unknown): Wait | null {
  for (let e = error; e instanceof Error; e = e.cause) {
    // Not by class: our bundle and Next's each have a copy of it.
    if (e.name === "LostRace" && "wait" in e && typeof e.wait === "function") return e.wait as Wait;
  }
  return null;
}

/** The engine's error code, also when the query builder has wrapped the error. */
export function engineCode(error: unknown): string | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ("code" in e && typeof e.code === "string") return e.code;
  }
  return undefined;
}

/** A conflict between transactions: PostgreSQL asks for the whole transaction to be run again. */
export const isConflict = (error: unknown): boolean => ["40001", "40P01"].includes(engineCode(error) ?? "");

/** A unique index was violated, on either engine. */
export const isUniqueViolation = (error: unknown): boolean =>
  ["23505", "SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY"].includes(engineCode(error) ?? "");

const unavailableCodes = new RegExp(
  `^(${[
    "SQLITE_(BUSY|FULL|IOERR|NOMEM|CANTOPEN|LOCKED|READONLY|CORRUPT|NOTADB)",
    // PostgreSQL, appendix A of its manual: connection, resources, lock wait, operator, input and output.
    "08|53|55P03|57P0|58030",
    // A statement or transaction that timed out or was canceled by an operator.
    "57014|25P03|25P04",
    // A read-only server: a standby, or a primary during a switchover.
    "25006",
    "ECONN|EHOST|ENET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE",
  ].join("|")})`,
);

const readTimeout = "Query read timeout";

/** Driver messages without a code. Compared exactly, because a longer message may contain a caller's text. */
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

/**
 * Whether the engine could not be reached or was out of resources, rather than the query being wrong. Our own error is
 * recognized by its name, because our bundle and Next's each have a copy of its class.
 */
export const isUnavailable = (error: unknown): boolean =>
  (error instanceof Error && error.name === unavailableName) ||
  unavailableCodes.test(engineCode(error) ?? "") ||
  (error instanceof Error && (unavailableMessages.has(error.message) || isUnavailable(error.cause)));

/**
 * Whether PostgreSQL canceled a statement or transaction because it took too long or because an operator asked. A retry
 * will take as long, unless the server was just slow.
 */
export const tookTooLong = (error: unknown): boolean =>
  /^(57014|25P03|25P04)/.test(engineCode(error) ?? "") ||
  (error instanceof Error && (error.message === readTimeout || tookTooLong(error.cause)));

const storageFaults = /^SQLITE_(IOERR|CORRUPT|NOTADB)/;

/**
 * Whether SQLite failed to read or write its file. The kernel's cache may then differ from the disk, so the process
 * must close the file and start again rather than answer from data that the disk does not have.
 */
export const isStorageFault = (error: unknown): boolean => storageFaults.test(engineCode(error) ?? "");

/**
 * Removes the values of a failed query from the error and its causes, in place. The query builder puts parameters into
 * the message, and PostgreSQL puts the offending row into the detail: personal data and hashes of secrets.
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
