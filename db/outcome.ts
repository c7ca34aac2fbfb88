// What became of a COMMIT on PostgreSQL whose answer was lost with its connection.
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { isUnavailable } from "./errors";

/** A transaction as PostgreSQL knows it beyond its connection. */
export interface TransactionMark {
  /** Its 64-bit number (xid8). After a failover or a crash another transaction may get the same. */
  xid: string;
  /** What the number is good on: the server's timeline, which a failover changes, and its last recovery from a crash. */
  server: string;
  /** The process of the server that runs it. */
  pid: number;
}

/** A server that recovers from a crash starts its statistics anew. Resetting them by hand looks the same, and does no harm. */
const server = `substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || ' ' ||
  (select coalesce(extract(epoch from stats_reset)::text, '') from pg_stat_bgwriter) as server`;

/** Fails unless the role may ask for all that a mark needs; some managed servers leave functions out or revoke them. */
const identify = `select ${server},
  bool_and(has_function_privilege(name, 'execute')) as "isAllowed"
  from unnest(array['pg_current_xact_id()', 'pg_xact_status(xid8)']) as name`;

/** `object_not_in_prerequisite_state`: a standby, which may be promoted while the connection lives. */
const notYet = "55000";

/** The server of each connection, which a crash or failover would end; null if it does not say. */
const servers = new WeakMap<pg.ClientBase, string | null>();

async function serverOf(client: pg.ClientBase): Promise<string | null> {
  const known = servers.get(client);
  if (known !== undefined) return known;
  try {
    const { rows } = await client.query<{ server: string; isAllowed: boolean }>(identify);
    const found = rows[0]?.isAllowed ? rows[0].server : null;
    servers.set(client, found);
    return found;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || isUnavailable(error)) throw error;
    if (error.code !== notYet) servers.set(client, null);
    return null;
  }
}

/**
 * Begins a transaction with a number, so that its outcome can be asked for later. Null if the server does not let this
 * role ask: then nobody can.
 */
export async function beginMarked(client: pg.ClientBase): Promise<TransactionMark | null> {
  const server = await serverOf(client);
  if (server === null) {
    await client.query(begin);
    return null;
  }
  const results = (await client.query(
    `${begin}; select pg_current_xact_id()::text as xid, pg_backend_pid() as pid`,
  )) as unknown as pg.QueryResult<{ xid: string; pid: number }>[];
  const numbers = results[1]?.rows[0];
  if (!numbers) throw new Error("PostgreSQL began a transaction without a number.");
  return { ...numbers, server };
}

const begin = "begin isolation level read committed";

/** Longest wait for an answer, in milliseconds: a restart of the server takes seconds. */
const longestWaitMs = 10_000;
const firstDelayMs = 20;
const longestDelayMs = 500;

export type Outcome = "committed" | "aborted" | "unknown";

/**
 * Asks on other connections whether the transaction was committed, until it is decided or {@link longestWaitMs} are over.
 * The server may not know yet that the connection is gone; it is told to end the transaction.
 */
export async function outcomeOf(mark: TransactionMark, pool: pg.Pool): Promise<Outcome> {
  const deadline = Date.now() + longestWaitMs;
  for (let delay = firstDelayMs; ; delay = Math.min(longestDelayMs, delay * 2)) {
    const outcome = await lookAt(mark, pool).catch(() => null);
    if (outcome) return outcome;
    if (Date.now() + delay >= deadline) return "unknown";
    await sleep(delay);
  }
}

/** Null while the transaction is not decided. */
async function lookAt({ xid, server: before, pid }: TransactionMark, pool: pg.Pool): Promise<Outcome | null> {
  const { rows } = await pool.query<{ status: string | null; server: string }>(
    `select pg_xact_status($1::xid8) as status, ${server}`,
    [xid],
  );
  const [found] = rows;
  if (!found || found.server !== before) return "unknown";
  if (found.status === "committed" || found.status === "aborted") return found.status;
  // Too old to be known.
  if (found.status === null) return "unknown";
  // The number of the process may be another's by now, so the transaction's own number decides.
  await pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and backend_xid = $2::xid8::xid",
    [pid, xid],
  );
  return null;
}
