// Connections to PostgreSQL that die: between two statements, during one, at COMMIT, and while idle.
import { setTimeout as sleep } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/test/database";
import { openPostgresProxy, type PostgresProxy } from "@/test/postgres-proxy";
import { type Database, openDatabase, type Tx } from "./client";
import { DatabaseUnavailable, isUnavailable } from "./errors";
import { lock } from "./lock";
import { migrateDatabase } from "./migrate";
import { organizations } from "./tables";

let fixture: TestDatabase;
let operator: pg.Client;
let proxy: PostgresProxy;
let db: Database;
beforeAll(async () => {
  fixture = await createTestDatabase();
  await migrateDatabase(fixture.url);
  operator = new pg.Client(fixture.url);
  await operator.connect();
  await operator.query(
    "insert into organizations (id, name, mode, created_at) values ('org_known', 'x', 'sandbox', 1)",
  );
});
afterAll(async () => {
  await operator.end();
  await fixture.drop();
});
beforeEach(async () => {
  proxy = await openPostgresProxy(fixture.url);
  db = await openDatabase({ url: proxy.url, connections: 4 });
});
afterEach(async () => {
  await db.close();
  await proxy.close();
});

let count = 0;
const newId = () => `org_${++count}`;
const insert = (tx: Tx, id: string) =>
  tx.insert(organizations).values({ id, name: "x", mode: "sandbox", createdAt: 1 });
const isThere = async (id: string) =>
  (await operator.query("select from organizations where id = $1", [id])).rowCount === 1;
const pidOf = async (tx: Tx) => {
  const [row] = await tx
    .select({ pid: sql<number>`pg_backend_pid()` })
    .from(organizations)
    .where(eq(organizations.id, "org_known"));
  return row?.pid ?? 0;
};
const known = () => db.read.$count(organizations, eq(organizations.id, "org_known"));
const terminate = (pid: number) => operator.query("select pg_terminate_backend($1, 5000)", [pid]);

describe("a connection that dies", () => {
  test("between two statements makes the write unavailable, and the next one works", async () => {
    const id = newId();
    const write = db.write(async (tx) => {
      await insert(tx, id);
      await terminate(await pidOf(tx));
      // The driver notices now, while no query is running.
      await new Promise((resume) => setTimeout(resume, 50));
      await insert(tx, newId());
    });
    await expect(write).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await isThere(id)).toBe(false);
    await db.write((tx) => insert(tx, id));
    expect(await isThere(id)).toBe(true);
  });

  test("during a statement makes the write unavailable too", async () => {
    const write = db.write(async (tx) => {
      const pid = await pidOf(tx);
      const sleeping = tx.select({ slept: sql`pg_sleep(30)` }).from(organizations);
      const both = Promise.allSettled([sleeping, terminate(pid)]);
      const [slept] = await both;
      if (slept.status === "rejected") throw slept.reason;
    });
    await expect(write).rejects.toBeInstanceOf(DatabaseUnavailable);
    await db.write((tx) => insert(tx, newId()));
  });

  test("while idle is dropped, for reads and for writes", async () => {
    await Promise.all(Array.from({ length: 3 }, () => db.write((tx) => insert(tx, newId()))));
    await Promise.all([known(), known()]);
    const others = "datname = current_database() and pid <> pg_backend_pid()";
    await operator.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where ${others}`);
    await vi.waitFor(() => known());
    await vi.waitFor(() => db.write((tx) => insert(tx, newId())));
  });
});

describe("a COMMIT whose answer is lost", () => {
  test("succeeds if it arrived, and runs once", async () => {
    const id = newId();
    let runs = 0;
    proxy.cutNextCommit("after");
    const written = db.write(async (tx) => {
      runs++;
      await insert(tx, id);
      return "written";
    });
    expect(await written).toBe("written");
    expect([runs, proxy.commits(), await isThere(id)]).toEqual([1, 1, true]);
  });

  test("succeeds even if the server cannot be reached for a moment", async () => {
    const id = newId();
    proxy.cutNextCommit("after", 1_000);
    await db.write((tx) => insert(tx, id));
    expect(await isThere(id)).toBe(true);
  });

  test.each(["before", "unnoticed"] as const)("is unavailable if it never arrived: %s", async (cut) => {
    const id = newId();
    let runs = 0;
    proxy.cutNextCommit(cut);
    const write = db.write(async (tx) => {
      runs++;
      await insert(tx, id);
    });
    await expect(write).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect([runs, await isThere(id)]).toEqual([1, false]);
    // It left nothing behind that would block others.
    await db.write((tx) => insert(tx, id));
  });
});

test("a COMMIT whose answer arrives after the driver timed out succeeds", async () => {
  const id = newId();
  const query = pg.Client.prototype.query as (this: pg.Client, ...values: unknown[]) => Promise<unknown>;
  const late = vi.spyOn(pg.Client.prototype, "query").mockImplementation(async function (
    this: pg.Client,
    ...values: unknown[]
  ) {
    const result = await query.apply(this, values);
    if (values[0] === "COMMIT") throw new Error("Query read timeout");
    return result;
  } as never);
  let runs = 0;
  await db
    .write((tx) => {
      runs++;
      return insert(tx, id);
    })
    .finally(() => late.mockRestore());
  expect(runs).toBe(1);
  expect(await isThere(id)).toBe(true);
});

test("a COMMIT that PostgreSQL answers with ROLLBACK throws", async () => {
  const id = newId();
  const write = db.write(async (tx) => {
    await insert(tx, id);
    await insert(tx, id).catch(() => {});
  });
  await expect(write).rejects.toThrow("answered ROLLBACK to COMMIT");
  expect(await isThere(id)).toBe(false);
});

describe("the two pools", () => {
  test("a read succeeds while every write connection waits", async () => {
    let free = () => {};
    const blocked = new Promise<void>((resolve) => {
      free = resolve;
    });
    const writes = Array.from({ length: 6 }, () => db.write(() => blocked));
    expect(await known()).toBe(1);
    free();
    await Promise.all(writes);
  });

  test("never open more connections than allowed", async () => {
    const ofThis = "select count(*)::int as n from pg_stat_activity where datname = current_database()";
    const busy = Array.from({ length: 20 }, (_, i) =>
      i % 2 ? known() : db.write((tx) => tx.select({ slept: sql`pg_sleep(0.02)` }).from(organizations).limit(1)),
    );
    const { rows } = await operator.query<{ n: number }>(ofThis);
    await Promise.all(busy);
    // The operator has a connection too.
    expect(rows[0]?.n).toBeLessThanOrEqual(4 + 1);
  });

  test("a read that exceeds its limit is unavailable, not an internal error", async () => {
    const slow = db.read.select({ slept: sql`pg_sleep(30)` }).from(organizations).limit(1);
    await expect(Promise.resolve(slow)).rejects.toSatisfy(isUnavailable);
  });
});

describe("a locked row that every write connection waits for", () => {
  /** Runs `check` while writes of `db` wait for a row that another process has locked. */
  async function behindLockedRow(check: () => Promise<void>): Promise<void> {
    await operator.query("begin");
    await operator.query("select from organizations where id = 'org_known' for update");
    const writes = Array.from({ length: 6 }, () => db.write((tx) => lock(tx, organizations, ["org_known"])));
    try {
      await vi.waitFor(async () => expect(await lockWaits()).toBe(3));
      await check();
    } finally {
      await operator.query("rollback");
      await Promise.all(writes);
    }
  }
  async function lockWaits(): Promise<number | null> {
    // Otherwise the view shows the same rows throughout a transaction.
    await operator.query("select pg_stat_clear_snapshot()");
    const waiting = "datname = current_database() and wait_event_type = 'Lock'";
    return (await operator.query(`select from pg_stat_activity where ${waiting}`)).rowCount;
  }

  test("leaves the process ready", async () => {
    await behindLockedRow(() => inTime(db.ping()));
  });

  test("leaves the process ready although another process has locked its readiness row", async () => {
    const other = await openDatabase({ url: fixture.url, connections: 2 });
    await other.ping();
    await operator.query("begin");
    await operator.query("select from throttles for update");
    await inTime(db.ping()).finally(() => operator.query("rollback"));
    await other.close();
  });
});

/** Rejects after five seconds. A lock wait takes fifteen. */
const inTime = <T>(promise: Promise<T>) =>
  Promise.race([promise, sleep(5_000, undefined, { ref: false }).then(() => Promise.reject(new Error("too late")))]);

test("a read-only server is not ready, and writes to it are unavailable", async () => {
  const name = new URL(fixture.url).pathname.slice(1);
  await operator.query(`alter database ${name} set default_transaction_read_only = on`);
  const other = await openDatabase({ url: fixture.url, connections: 2 });
  await expect(other.ping()).rejects.toSatisfy(isUnavailable);
  await expect(other.write((tx) => insert(tx, newId()))).rejects.toBeInstanceOf(DatabaseUnavailable);
  await other.close();
  await operator.query(`alter database ${name} reset default_transaction_read_only`);
});

const settingsOf = async ({ read }: Database) => {
  const names = ["synchronous_commit", "max_parallel_workers_per_gather", "jit", "search_path"];
  const one = (name: string) =>
    read.select({ value: sql<string>`current_setting(${name})` }).from(sql`(select 1) as present`);
  return (await Promise.all(names.map(one))).flat().map(({ value }) => value);
};

test("no statement runs in parallel or is compiled by the JIT", async () => {
  expect((await settingsOf(db)).slice(0, 3)).toEqual(["on", "0", "off"]);
});

test("options in DATABASE_URL are kept, but cannot replace these settings", async () => {
  const url = new URL(fixture.url);
  url.searchParams.set("options", "-c synchronous_commit=off -c jit=on -c search_path=public,elsewhere");
  const other = await openDatabase({ url: url.href, connections: 2 });
  expect(await settingsOf(other)).toEqual(["on", "0", "off", "public,elsewhere"]);
  await other.close();
});
