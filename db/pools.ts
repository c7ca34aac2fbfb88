// Two pools of PostgreSQL connections, one for write transactions and one for reads, so that neither blocks the other.
import pg from "pg";

const int8 = 20;

/** Longest waits in milliseconds. `connect` includes the wait for a free connection of the pool. */
interface Waits {
  connect: number;
  /** PostgreSQL cancels a statement after this time. */
  statement: number;
}

/** Writes wait longer: a burst on one hot ledger account queues for its row lock. */
const writing: Waits = { connect: 15_000, statement: 30_000 };
const reading: Waits = { connect: 5_000, statement: 5_000 };

/** Settings of every connection. Parallel plans and JIT speed up one search at everybody else's expense. */
const settings = "-c synchronous_commit=on -c max_parallel_workers_per_gather=0 -c jit=off";

/**
 * The URL with our settings after those in its own `options`, so that ours win. The driver would take only the URL's,
 * and `synchronous_commit=off` among them loses acknowledged writes.
 */
function withSettings(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  const given = url.searchParams.get("options");
  url.searchParams.set("options", given === null ? settings : `${given} ${settings}`);
  return url.href;
}

/** Added to the statement limit, for a server that does not answer at all. */
const graceMs = 2_000;

interface Pools {
  writers: pg.Pool;
  readers: pg.Pool;
  /** The error that ended a connection, or undefined while it works. */
  faultOf(client: pg.PoolClient): Error | undefined;
}

/** Writes get more connections than reads: they keep one over many statements, and wait for locks. */
const readersOf = (connections: number): number => Math.max(1, Math.floor(connections / 4));

/** Opens both pools with at most `connections` connections in total; at least two. */
export function openPools(url: string, connections: number): Pools {
  const faults = new WeakMap<pg.PoolClient, Error>();
  const open = (max: number, { connect, statement }: Waits) => {
    const pool = new pg.Pool({
      connectionString: withSettings(url),
      max,
      connectionTimeoutMillis: connect,
      statement_timeout: statement,
      query_timeout: statement + graceMs,
      lock_timeout: 15_000,
      idle_in_transaction_session_timeout: 30_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      types: { getTypeParser: (oid, format) => (oid === int8 ? safeInteger : pg.types.getTypeParser(oid, format)) },
    });
    // The pool handles errors only while a connection is idle. An unhandled error would end the process.
    pool.on("connect", (client) => client.on("error", (error) => faults.set(client, error)));
    // The pool has already dropped the idle connection.
    pool.on("error", () => {});
    return pool;
  };
  const readers = readersOf(connections);
  return {
    writers: open(connections - readers, writing),
    readers: open(readers, reading),
    faultOf: (client) => faults.get(client),
  };
}

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`An integer from the database is too large: ${text}`);
  return value;
}
