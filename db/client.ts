// The database as the rest of the product sees it: readers, write transactions, and how to open it.
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import { dialect } from "./dialect";
import { guarded } from "./guard";
import { withProof } from "./write-proof";

type Queries = PgDatabase<PgQueryResultHKT, Record<string, never>>;

/** Reads committed rows. Has only the methods that both engines support. */
export type Reader = Pick<Queries, "select" | "selectDistinct" | "$count">;

/** An open write transaction. Only {@link Database.write} creates one, so no write outside a transaction compiles. */
export interface Tx extends Reader, Pick<Queries, "insert" | "update" | "delete"> {
  readonly [transaction]: true;
}
declare const transaction: unique symbol;

export interface Database {
  readonly read: Reader;
  /**
   * Runs `work` in one transaction and resolves after COMMIT. `work` may run again after a conflict, so it must not
   * touch anything but the database. Throws {@link DatabaseUnavailable} when the engine cannot take the write now.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Runs `work` in a savepoint: if it throws, its rows are rolled back and the surrounding transaction continues. */
  savepoint<T>(tx: Tx, work: () => Promise<T>): Promise<T>;
  /** Locks a name for this transaction without waiting. False if another transaction, in any process, has it. */
  tryLockName(tx: Tx, name: string): Promise<boolean>;
  /**
   * Milliseconds since the oldest write began that has changed rows and not committed, in any process; 0 if there is
   * none. What earlier writes changed can be read once this resolves.
   */
  oldestWriteAge(): Promise<number>;
  /** Checks that the database takes writes: resolves if this process committed one within seconds, throws otherwise. */
  ping(): Promise<void>;
  /** The process's current use of the database. */
  use(): Promise<DatabaseUse>;
  /** The engine's version, and the room that the database takes. Costs more than `use`. */
  facts(): Promise<DatabaseFacts>;
  /**
   * Call within a transaction that erases something, or before it. SQLite then empties its write-ahead log within
   * seconds of the commit, so that the erased bytes are in no file. Nothing to do on PostgreSQL.
   */
  emptyLog(): void;
  close(): Promise<void>;
}

/** Connections of one pool, and callers that wait for one. */
export interface PoolUse {
  name: "write" | "read";
  inUse: number;
  idle: number;
  waiting: number;
}

export interface DatabaseUse {
  /** On SQLite only `write`: reads run on the thread itself and never wait for a connection. */
  pools: readonly PoolUse[];
  /** Sizes of SQLite's files in bytes; null on PostgreSQL. */
  files: { database: number; writeAheadLog: number } | null;
}

export interface DatabaseFacts {
  /** The engine's version, such as 3.50.4. */
  version: string;
  /** Bytes of the database, without SQLite's write-ahead log. */
  bytes: number;
  /** SQLite only: bytes of the write-ahead log, and of the disk that has the file. Null if it cannot be read. */
  writeAheadLogBytes: number | null;
  disk: { bytes: number; freeBytes: number } | null;
}

/** What each engine implements. The rest is the same on both. */
export interface Engine extends Omit<Database, "ping"> {
  /** Like `write`, but never queued behind writes of this process that wait for a lock. For small writes. */
  writeBeside: Database["write"];
}

interface DatabaseOptions {
  /** `file:./path.db` or `postgres://…`. */
  url: string;
  /** Maximum number of connections to PostgreSQL, at least 2. SQLite has one writer and one reader. */
  connections?: number;
  /** Called once when the database file can no longer be trusted. The process should exit and start again. */
  onFault?: (error: Error) => void;
  /** Called when maintenance of the file failed. It is tried again. */
  onTrouble?: (error: Error) => void;
  /**
   * Called after each COMMIT that SQLite synced to the disk, with its number of transactions and the sync's duration.
   */
  onCommit?: (transactions: number, syncMs: number) => void;
}

/** Opens the engine that `DATABASE_URL` selected when this process started. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return guarded(withProof(await openEngine(options)));
}

const ignore = () => {};

async function openEngine(options: DatabaseOptions): Promise<Engine> {
  const { url, connections = 16, onFault: fault = ignore, onTrouble: trouble = ignore, onCommit = ignore } = options;
  if (dialect === "postgres") return (await import("./postgres")).openPostgres(url, connections);
  const [{ databaseFile, openSqlite }, { whileInPlace }] = await Promise.all([
    import("./sqlite"),
    import("./replace-file"),
  ]);
  return whileInPlace(databaseFile(url), () => openSqlite(url, { fault, trouble, commit: onCommit }));
}
