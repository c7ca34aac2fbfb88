// The face of the database: what a reader may do, what a transaction may do, and how one is opened.
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import { dialect } from "./dialect";
import { guarded } from "./guard";
import { withProof } from "./write-proof";

type Queries = PgDatabase<PgQueryResultHKT, Record<string, never>>;

/** Reads committed rows. Its methods are those that both engines have. */
export type Reader = Pick<Queries, "select" | "selectDistinct" | "$count">;

/** One open write transaction. Only {@link Database.write} makes one, so writing outside a transaction does not compile. */
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
  /** Runs `work` so that its rows vanish again if it throws, while the surrounding transaction goes on. */
  savepoint<T>(tx: Tx, work: () => Promise<T>): Promise<T>;
  /** Takes the name for this transaction without waiting; false if another transaction of any process holds it. */
  tryLockName(tx: Tx, name: string): Promise<boolean>;
  /** Proves that the database takes writes: resolves if this process has committed one in the last seconds; throws otherwise. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** What an engine brings; the rest is the same on both. */
export interface Engine extends Omit<Database, "ping"> {
  /** The same as `write`, but not held up by writes of this process that wait for a lock. For small writes that take no such lock. */
  writeBeside: Database["write"];
}

export interface DatabaseOptions {
  /** `file:./path.db` or `postgres://…`. */
  url: string;
  /** Connections to PostgreSQL at most, from 2; SQLite has one writer and one reader. */
  connections?: number;
  /** Called once when the database's file can no longer be trusted; the process should end and start again. */
  onFault?: (error: Error) => void;
  /** Called when upkeep of the file failed, which is tried again. */
  onTrouble?: (error: Error) => void;
}

/** Opens the engine that `DATABASE_URL` chose when this process started. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return guarded(withProof(await openEngine(options)));
}

const ignore = () => {};

async function openEngine({ url, connections = 16, onFault, onTrouble }: DatabaseOptions): Promise<Engine> {
  if (dialect === "postgres") return (await import("./postgres")).openPostgres(url, connections);
  return (await import("./sqlite")).openSqlite(url, { fault: onFault ?? ignore, trouble: onTrouble ?? ignore });
}
