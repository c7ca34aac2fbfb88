// What became of a COMMIT on PostgreSQL whose answer was lost with its connection.
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";

/** A transaction as PostgreSQL knows it beyond its connection. */
export interface TransactionMark {
  /** Its 64-bit number (xid8), which is never used again on this timeline. */
  xid: string;
  /** The server's timeline. It changes at a failover, after which the number may belong to another transaction. */
  timeline: string;
  /** The process of the server that runs it. */
  pid: number;
}

/** Begins a transaction with a number, so that its outcome can be asked for later, in one round trip. */
export async function beginMarked(client: pg.ClientBase): Promise<TransactionMark> {
  const results = (await client.query(
    `begin isolation level read committed; select pg_current_xact_id()::text as xid, ${timeline}, pg_backend_pid() as pid`,
  )) as unknown as pg.QueryResult<TransactionMark>[];
  const mark = results[1]?.rows[0];
  if (!mark) throw new Error("PostgreSQL began a transaction without a number.");
  return mark;
}

const timeline = "substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline";

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
async function lookAt({ xid, timeline: before, pid }: TransactionMark, pool: pg.Pool): Promise<Outcome | null> {
  const { rows } = await pool.query<{ status: string | null; timeline: string }>(
    `select pg_xact_status($1::xid8) as status, ${timeline}`,
    [xid],
  );
  const [found] = rows;
  if (!found || found.timeline !== before) return "unknown";
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
