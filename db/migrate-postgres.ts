// Migrations on PostgreSQL. The previous version keeps serving meanwhile, because no statement blocks it for long.
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { hourMs } from "../server/kit/limits";
import { engineCode } from "./errors";
import { expectAll, type Migration, MigrationBlocked, missingOf } from "./migration-files";

type Report = (sentence: string) => void;

/** A number that no other program uses for an advisory lock on this database. */
export const lockNumber = 7_184_402_914;

/** Milliseconds. */
export const waits = {
  /** How often a process asks whether another has finished migrating, and for how long. */
  turn: { every: 100, longest: hourMs },
  /**
   * How long a statement may wait for its lock. Meanwhile everybody who wants the table waits behind it. Longer than
   * deadlock_timeout, which is a second: only after that does PostgreSQL cancel an autovacuum that has the lock.
   */
  lock: 1_500,
  /** The pauses between attempts to run a blocked statement, and how long it is attempted. */
  retry: { first: 200, most: 10_000, longest: 600_000 },
};

/** `lock_not_available`, and `deadlock_detected`. */
const isBlocked = (error: unknown): boolean => ["55P03", "40P01"].includes(engineCode(error) ?? "");

/**
 * An operator may have limited the role's statements. What takes long here blocks nobody. PostgreSQL knows
 * `transaction_timeout` since version 17.
 */
const withoutTimeouts = `
  select set_config(name, '0', false) from pg_settings
  where name in ('statement_timeout', 'lock_timeout', 'transaction_timeout')`;

/**
 * Otherwise the server notices only at the end of a statement that the process which sent it was killed. Until then the
 * lock stays taken, and an index that waits for a transaction may never be completed.
 */
const noticeDeath = "set client_connection_check_interval = '1s'";

/** The complete migrations, in the table that drizzle's own migrator uses, and the progress of incomplete ones. */
const bookkeeping = `
  create schema if not exists drizzle;
  create table if not exists drizzle.__drizzle_migrations (
    id serial primary key, hash text not null, created_at bigint);
  create table if not exists drizzle.unfinished_migrations (
    created_at bigint primary key, statements integer not null)`;

/** Applies the missing migrations; see migrate.ts. */
export const migratePostgres = (url: string, migrations: readonly Migration[], report: Report): Promise<void> =>
  connected(url, async (client) => {
    await client.query(withoutTimeouts);
    // PostgreSQL 13 and some systems do not have it: there, the lock is free once the statement is done.
    await client.query(noticeDeath).catch(() => {});
    // Before the lock, so that most starts need none, and an older version is refused while a newer one migrates.
    if (missingOf(migrations, await recordedIn(client)).length === 0) return;
    await takeTurn(client, report);
    await client.query(bookkeeping);
    for (const migration of missingOf(migrations, await recordedIn(client))) {
      report(`applying migration ${migration.tag}`);
      await apply(client, migration, report);
    }
  });

/** Throws unless the database records exactly these migrations. Changes nothing. */
export const expectMigratedPostgres = (url: string, migrations: readonly Migration[]): Promise<void> =>
  connected(url, async (client) => expectAll(migrations, await recordedIn(client)));

async function connected(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    // While an index is created nothing is sent for long, and some networks forget silent connections.
    keepAliveInitialDelayMillis: 10_000,
    application_name: "quittance migrations",
  });
  // A running statement reports a lost connection itself. Without this listener, the client's event would end the
  // process.
  client.on("error", () => {});
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function recordedIn(client: pg.Client): Promise<number[]> {
  const { rows } = await client.query("select to_regclass('drizzle.__drizzle_migrations') is not null as exists");
  if (!rows[0].exists) return [];
  const recorded = await client.query("select created_at from drizzle.__drizzle_migrations");
  return recorded.rows.map((row) => Number(row.created_at));
}

/** Polls for the lock: a waiting statement would keep a snapshot, for which CREATE INDEX CONCURRENTLY waits. */
async function takeTurn(client: pg.Client, report: Report): Promise<void> {
  const deadline = Date.now() + waits.turn.longest;
  for (let isFirst = true; ; isFirst = false) {
    const { rows } = await client.query("select pg_try_advisory_lock($1) as locked", [lockNumber]);
    if (rows[0].locked) return;
    if (Date.now() > deadline) throw new MigrationBlocked("Another process is still migrating the database.");
    if (isFirst) report("another process is migrating the database; waiting for it");
    await sleep(waits.turn.every);
  }
}

/** Each statement commits separately, with the number of completed ones, so that no lock is kept for the next. */
async function apply(client: pg.Client, migration: Migration, report: Report): Promise<void> {
  const { tag, when, statements } = migration;
  const { rows } = await client.query("select statements from drizzle.unfinished_migrations where created_at = $1", [
    when,
  ]);
  for (let done: number = rows[0]?.statements ?? 0; done < statements.length; done++) {
    const statement = withoutComments(statements[done] ?? "");
    const run = () => runOne(client, statement, () => record(client, migration, done + 1));
    await retried(run, { tag, report });
  }
}

async function runOne(client: pg.Client, statement: string, recordDone: () => Promise<void>): Promise<void> {
  const isConcurrent = /^(create (unique )?|drop )index concurrently/i.test(statement);
  // A concurrent statement waits for every transaction that may use the table, however long, and blocks none of them.
  if (isConcurrent) await indexConcurrently(client, statement);
  await client.query("begin");
  try {
    await client.query(`set local lock_timeout = ${waits.lock}`);
    if (!isConcurrent) await client.query(statement);
    await recordDone();
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

async function record(client: pg.Client, { when, hash, statements }: Migration, done: number): Promise<void> {
  if (done < statements.length) {
    await client.query(
      `insert into drizzle.unfinished_migrations (created_at, statements) values ($1, $2)
       on conflict (created_at) do update set statements = excluded.statements`,
      [when, done],
    );
    return;
  }
  await client.query("insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)", [hash, when]);
  await client.query("delete from drizzle.unfinished_migrations where created_at = $1", [when]);
}

/**
 * Runs the statement outside a transaction. An interrupted one has left an invalid index, which slows writes down and
 * serves no query, so it is dropped first. A valid index is complete.
 */
async function indexConcurrently(client: pg.Client, statement: string): Promise<void> {
  const name = /^create (?:unique )?index concurrently "(\w+)"/i.exec(statement)?.[1];
  if (name !== undefined) {
    const { rows } = await client.query("select indisvalid from pg_index where indexrelid = to_regclass($1)", [
      `"${name}"`,
    ]);
    if (rows[0]?.indisvalid) return;
    if (rows[0]) await client.query(`drop index concurrently "${name}"`);
  }
  await client.query(statement);
}

/**
 * Retries at growing intervals while others have locks on the table, so that they never wait long behind this
 * statement.
 */
async function retried(run: () => Promise<void>, { tag, report }: { tag: string; report: Report }): Promise<void> {
  const deadline = Date.now() + waits.retry.longest;
  for (let pause = waits.retry.first; ; pause = Math.min(2 * pause, waits.retry.most)) {
    try {
      return await run();
    } catch (error) {
      if (!isBlocked(error)) throw error;
      if (Date.now() > deadline) {
        throw new MigrationBlocked(`Migration ${tag} got no lock: a transaction has kept its table too long.`, error);
      }
      report(`migration ${tag} waits until a transaction releases its table`);
    }
    await sleep(pause);
  }
}

const withoutComments = (statement: string): string => statement.replace(/^\s*--.*$/gm, "").trim();
