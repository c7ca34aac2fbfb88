// PostgreSQL: READ COMMITTED, row locks taken in id order, the whole transaction run again after a conflict.
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { Engine, Reader, Tx } from "./client";
import { DatabaseUnavailable, isConflict, isUnavailable } from "./errors";

const attempts = 6;
const int8 = 20;

/**
 * Longest waits, in milliseconds. `connect` covers waiting for a connection of the pool to come free, so it stands for how
 * long a burst on one hot account may queue before its tail is told to come back.
 */
const waits = { connect: 15_000, statement: 30_000, lock: 15_000, idleInTransaction: 30_000 };

export function openPostgres(url: string, poolSize = 10): Engine {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: waits.connect,
    statement_timeout: waits.statement,
    lock_timeout: waits.lock,
    idle_in_transaction_session_timeout: waits.idleInTransaction,
    options: "-c synchronous_commit=on",
    types: { getTypeParser: (oid, format) => (oid === int8 ? safeInteger : pg.types.getTypeParser(oid, format)) },
  });
  // A connection that breaks while idle is dropped by the pool; without a listener it would end the process.
  pool.on("error", () => {});
  const handles = new WeakMap<pg.PoolClient, Tx>();
  const clients = new WeakMap<Tx, pg.PoolClient>();

  /** One handle per connection, so that prepared statements are built once for each. */
  function handleOf(client: pg.PoolClient): Tx {
    const known = handles.get(client);
    if (known) return known;
    const handle = drizzle(client) as unknown as Tx;
    handles.set(client, handle);
    clients.set(handle, client);
    return handle;
  }

  async function once<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      await client.query("BEGIN ISOLATION LEVEL READ COMMITTED");
      const value = await work(handleOf(client));
      await client.query("COMMIT");
      return value;
    } catch (error) {
      await client.query("ROLLBACK").catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  return {
    read: drizzle(pool) as unknown as Reader,
    write: (work) => retryConflicts(() => once(work)),
    async savepoint(tx, work) {
      const client = clients.get(tx);
      if (!client) throw new Error("Not a transaction of this database.");
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
      const result = await clients
        .get(tx)
        ?.query<{ locked: boolean }>("select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked", [name]);
      return result?.rows[0]?.locked ?? false;
    },
    close: () => pool.end(),
  };
}

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`An integer of the database is too large: ${text}`);
  return value;
}

async function retryConflicts<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (isConflict(error) && attempt < attempts) {
        await new Promise((resume) => setTimeout(resume, Math.random() * Math.min(200, 5 * 2 ** attempt)));
        continue;
      }
      throw isConflict(error) || isUnavailable(error) ? new DatabaseUnavailable(error) : error;
    }
  }
}
