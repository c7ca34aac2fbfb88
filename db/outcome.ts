// Finds the outcome of a COMMIT on PostgreSQL when its answer was lost with the connection.
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { isUnavailable } from "./errors";

/** Identifies a transaction independently of its connection. */
export interface TransactionMark {
  /** Its 64-bit number (xid8). After a failover or a crash another transaction may get the same number. */
  xid: string;
  /** Where the number is valid: the server's timeline, which a failover changes, and its last crash recovery. */
  server: string;
  /** The server process that runs it. */
  pid: number;
}

/** Crash recovery resets the server's statistics. Resetting them by hand looks the same and is harmless. */
const server = `substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || ' ' ||
  (select coalesce(extract(epoch from stats_reset)::text, '') from pg_stat_bgwriter) as server`;

/**
 * Identifies the server, and says whether the role may run the functions that a mark needs. Fails on a standby, and
 * where a function is missing, as on some managed servers.
 */
const identify = `select ${server},
  bool_and(has_function_privilege(name, 'execute')) as "isAllowed"
  from unnest(array['pg_current_xact_id()', 'pg_xact_status(xid8)']) as name`;

/** `object_not_in_prerequisite_state`: a standby, which may be promoted while the connection is open. */
const notYet = "55000";

/** The server of each connection, which a crash or failover would close; null if it does not say. */
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
 * Begins a transaction and returns its mark, so that its outcome can be looked up later. Null if the server does not
 * allow this role to look it up.
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
  if (!numbers) throw new Error("PostgreSQL returned no transaction number.");
  return { ...numbers, server };
}

const begin = "begin isolation level read committed";

/** Longest wait for an answer in milliseconds. A server takes seconds to restart. */
const longestWaitMs = 10_000;
const firstDelayMs = 20;
const longestDelayMs = 500;

type Outcome = "committed" | "aborted" | "unknown";

/**
 * Looks up on other connections whether the transaction was committed, until it is decided or {@link longestWaitMs}
 * have passed. The server may not have noticed that the connection is gone, so it is told to end the transaction.
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

/** Null while the transaction is undecided. */
async function lookAt({ xid, server: before, pid }: TransactionMark, pool: pg.Pool): Promise<Outcome | null> {
  const { rows } = await pool.query<{ status: string | null; server: string }>(
    `select pg_xact_status($1::xid8) as status, ${server}`,
    [xid],
  );
  const [found] = rows;
  if (!found || found.server !== before) return "unknown";
  if (found.status === "committed" || found.status === "aborted") return found.status;
  // Too old for the server to know.
  if (found.status === null) return "unknown";
  // Another connection may have this process id by now, so the transaction number decides.
  await pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and backend_xid = $2::xid8::xid",
    [pid, xid],
  );
  return null;
}
