// PostgreSQL: READ COMMITTED, row locks in one order (see lock.ts), and retries of transactions that conflict.
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { DatabaseFacts, Engine, PoolUse, Reader, Tx } from "./client";
import { DatabaseUnavailable, isConflict, isUnavailable, waitAfter } from "./errors";
import { beginMarked, outcomeOf, type TransactionMark } from "./outcome";
import { openPools } from "./pools";

const attempts = 6;

/** Opens the database with at most `connections` connections in this process. */
export function openPostgres(url: string, connections: number): Engine {
  const { writers, readers, faultOf } = openPools(url, connections);
  const { handleOf, clientOf } = handlesOfConnections();

  async function once<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let broken: Error | undefined;
    let done: { value: T; mark: TransactionMark | null; lost: Error | null };
    try {
      const mark = await beginMarked(client);
      const value = await work(handleOf(client));
      done = { value, mark, lost: await commit(client) };
      broken = done.lost ?? undefined;
    } catch (error) {
      broken = await rollBack(client);
      throw error;
    } finally {
      client.release(broken ?? faultOf(client));
    }
    if (done.lost) await assertCommitted(done.mark, done.lost);
    return done.value;
  }

  /** Resolves if the transaction was committed; throws otherwise. The work is never run again here. */
  async function assertCommitted(mark: TransactionMark | null, lost: Error): Promise<void> {
    const outcome = mark ? await outcomeOf(mark, readers) : "unknown";
    if (outcome !== "committed") throw new DatabaseUnavailable(lost);
  }

  return {
    read: drizzle(readers) as unknown as Reader,
    write: (work) => retryConflicts((wanted) => once(writers, wanted), work),
    writeBeside: (work) => retryConflicts((wanted) => once(hasFree(writers) ? writers : readers, wanted), work),
    async savepoint(tx, work) {
      const client = clientOf(tx);
      await client.query("SAVEPOINT inner_work");
      try {
        const value = await work();
        await client.query("RELEASE inner_work");
        return value;
      } catch (error) {
        await client.query("ROLLBACK TO inner_work; RELEASE inner_work");
        throw error;
      }
    },
    async tryLockName(tx, name) {
      const { rows } = await clientOf(tx).query<{ locked: boolean }>(
        "select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked",
        [name],
      );
      return rows[0]?.locked ?? false;
    },
    use: async () => ({ pools: [useOf("write", writers), useOf("read", readers)], files: null }),
    oldestWriteAge: () => oldestWriteAge(readers),
    facts: () => factsOf(readers),
    emptyLog() {},
    async close() {
      await Promise.all([writers.end(), readers.end()]);
    },
  };
}

/** The query builder's handles: one for each connection, so that each connection prepares a statement once. */
function handlesOfConnections() {
  const handles = new WeakMap<pg.PoolClient, Tx>();
  const clients = new WeakMap<Tx, pg.PoolClient>();
  return {
    handleOf(client: pg.PoolClient): Tx {
      const known = handles.get(client);
      if (known) return known;
      const handle = drizzle(client) as unknown as Tx;
      handles.set(client, handle);
      clients.set(handle, client);
      return handle;
    },
    /** The connection of an open transaction. */
    clientOf(tx: Tx): pg.PoolClient {
      const client = clients.get(tx);
      if (!client) throw new Error("Not a transaction of this database.");
      return client;
    },
  };
}

async function factsOf(pool: pg.Pool): Promise<DatabaseFacts> {
  const { rows } = await pool.query<{ version: string; bytes: string }>(
    "select current_setting('server_version') as version, pg_database_size(current_database()) as bytes",
  );
  const { version = "", bytes = 0 } = rows[0] ?? {};
  // Distributions add their own name to the version: 15.18 (Debian 15.18-1).
  return { version: version.split(" ")[0] ?? "", bytes: Number(bytes), writeAheadLogBytes: null, disk: null };
}

/** A transaction has `backend_xid` from its first lock or change of a row to its end. */
async function oldestWriteAge(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ age: string }>(
    `select coalesce(max(extract(epoch from clock_timestamp() - xact_start)) * 1000, 0) as age from pg_stat_activity
     where datname = current_database() and backend_xid is not null`,
  );
  return Math.max(0, Math.ceil(Number(rows[0]?.age ?? 0)));
}

const useOf = (name: PoolUse["name"], { totalCount, idleCount, waitingCount }: pg.Pool): PoolUse => ({
  name,
  inUse: totalCount - idleCount,
  idle: idleCount,
  waiting: waitingCount,
});

/** Whether a connection is available right now. */
const hasFree = ({ idleCount, totalCount, waitingCount, options: { max } }: pg.Pool): boolean =>
  waitingCount === 0 && (idleCount > 0 || totalCount < max);

/**
 * Commits. Throws if the server says that it did not. Resolves to an error if the outcome is unknown because the
 * connection died or the answer is missing.
 */
async function commit(client: pg.PoolClient): Promise<Error | null> {
  try {
    const { command } = await client.query("COMMIT");
    // A statement's error was swallowed: PostgreSQL answers COMMIT, but has rolled everything back.
    if (command !== "COMMIT") throw new RolledBack(command);
    return null;
  } catch (error) {
    if (error instanceof RolledBack) throw error;
    const lost = await rollBack(client);
    // A DatabaseError is the server's answer on a working connection. Any other error, such as a driver timeout or a
    // closed connection, may follow a COMMIT that succeeded.
    if (!lost && error instanceof pg.DatabaseError) throw error;
    return error instanceof Error ? error : new Error(String(error));
  }
}

class RolledBack extends Error {
  override name = "RolledBack";
  constructor(command: string) {
    super(`PostgreSQL answered ${command} to COMMIT: an error within the transaction was ignored.`);
  }
}

/** Rolls back an open transaction. Returns the error if the connection cannot be used again. */
async function rollBack(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query({ text: "ROLLBACK", query_timeout: rollbackMs } as pg.QueryConfig);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/**
 * Milliseconds for a ROLLBACK. PostgreSQL needs hardly any, but a connection with a hanging statement never answers.
 */
const rollbackMs = 2_000;

type Run = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

async function retryConflicts<T>(run: Run, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run(work);
    } catch (error) {
      // A transaction whose COMMIT is in doubt is never run again.
      if (error instanceof DatabaseUnavailable) throw error;
      if (isConflict(error) && attempt < attempts) await waitToRetry(run, error, attempt);
      else throw isConflict(error) || isUnavailable(error) ? new DatabaseUnavailable(error) : error;
    }
  }
}

/** Waits for the transaction that won, if the error says how, else for a short random time. */
async function waitToRetry(run: Run, error: unknown, attempt: number): Promise<void> {
  const wait = waitAfter(error);
  try {
    if (wait) await run(wait);
    else await new Promise((resume) => setTimeout(resume, Math.random() * Math.min(200, 5 * 2 ** attempt)));
  } catch (failure) {
    throw isConflict(failure) || isUnavailable(failure) ? new DatabaseUnavailable(failure) : failure;
  }
}
