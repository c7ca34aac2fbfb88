// Migrations on PostgreSQL while others use the tables: nobody waits long, and indices are whole or made again.
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/test/database";
import { openMigrations, type TestMigrations } from "@/test/migrations";
import { openPostgresProxy } from "@/test/postgres-proxy";
import { runSql } from "@/test/statements";
import { migrateDatabase } from "./migrate";
import { lockNumber, waits } from "./migrate-postgres";

let fixture: TestDatabase;
let migrations: TestMigrations;
let other: pg.Client;
beforeEach(async () => {
  fixture = await createTestDatabase();
  migrations = openMigrations();
  migrations.write(table);
  await migrate();
  other = new pg.Client(fixture.url);
  await other.connect();
});
afterEach(async () => {
  await other.end();
  migrations.remove();
  await fixture.drop();
});

const table = ["create table one (n integer); insert into one values (1), (1)"];
const run = (sql: string) => runSql(fixture.url, sql);

/** Migrates. `waiting` resolves with the first sentence about something that it waits for. */
function migrating() {
  let heard: (sentence: string) => void = () => {};
  const waiting = new Promise<string>((resolve) => {
    heard = resolve;
  });
  const report = (sentence: string) =>
    sentence.includes("waits") || sentence.includes("waiting") ? heard(sentence) : undefined;
  return { done: migrateDatabase(fixture.url, { folder: migrations.folder, report }), waiting };
}

const migrate = () => migrating().done;

/** Has a row while the creation of an index waits for a transaction. */
const isBuilding = () =>
  run(
    "select from pg_stat_activity where query like 'create index concurrently%' and state = 'active' and wait_event_type = 'Lock' and datname = current_database()",
  );

describe("a table that a transaction has locked", () => {
  test("stays usable for others until its migration gets the lock", async () => {
    await other.query("begin; select n from one");
    migrations.write(table, ["alter table one add column m integer"]);
    const { done, waiting } = migrating();
    expect(await waiting).toContain("0001");
    // Each may wait behind an attempt of the migration, but not for the transaction.
    for (let n = 2; n <= 5; n++) await run(`insert into one values (${n})`);
    await other.query("commit");
    await done;
    expect(await run("select count(*)::int as count, count(m)::int as m from one")).toEqual([{ count: 6, m: 0 }]);
  });

  test("is free soon if an autovacuum holds it, which PostgreSQL cancels after deadlock_timeout", async () => {
    const [row] = await run("select setting::int as ms from pg_settings where name = 'deadlock_timeout'");
    expect(waits.lock).toBeGreaterThan(Number(row?.ms));
  });

  test("can be written while an index on it is created, which waits for the transaction", async () => {
    await other.query("begin isolation level repeatable read; select n from one");
    migrations.write(table, ['create index concurrently "one_n" on "one" ("n")']);
    const { done } = migrating();
    while ((await isBuilding()).length === 0);
    await run("insert into one values (2)");
    await other.query("commit");
    await done;
    expect(await run("select indisvalid from pg_index where indexrelid = 'one_n'::regclass")).toEqual([
      { indisvalid: true },
    ]);
  });
});

describe("an index that could not be completed", () => {
  const unique = 'create unique index concurrently "one_n" on "one" ("n")';
  const validity = () => run("select indisvalid from pg_index where indexrelid = to_regclass('one_n')");

  test("is created again by the next start", async () => {
    migrations.write(table, [`-- Numbers are distinct.\n${unique}`, "alter table one add column m integer"]);
    await expect(migrate()).rejects.toThrow("one_n");
    expect(await validity()).toEqual([{ indisvalid: false }]);
    await run("delete from one");
    await migrate();
    expect(await validity()).toEqual([{ indisvalid: true }]);
    expect(await run("select n, m from one")).toEqual([]);
  });

  test("is kept if it was complete, but not yet recorded", async () => {
    await run("delete from one");
    await run(unique);
    const [before] = await run("select 'one_n'::regclass::oid as oid");
    migrations.write(table, [unique]);
    await migrate();
    expect(await run("select 'one_n'::regclass::oid as oid")).toEqual([before]);
  });
});

test("a migration outlasts every time limit of the role that the server knows", async () => {
  const [row] = await run("select current_database() as name");
  const limits = await run("select name from pg_settings where name in ('statement_timeout', 'transaction_timeout')");
  for (const { name } of limits) await other.query(`alter database "${row?.name}" set ${name} = '50ms'`);
  migrations.write(table, ["select pg_sleep(0.2)"]);
  await migrate();
});

describe("a second process", () => {
  test("waits for the first without a running statement, which would block the creation of an index", async () => {
    await other.query("select pg_advisory_lock($1)", [lockNumber]);
    migrations.write(table, ['create index concurrently "one_n" on "one" ("n")']);
    const { done, waiting } = migrating();
    expect(await waiting).toContain("another process");
    await other.query('create index concurrently "other_n" on "one" ("n")');
    await other.query("select pg_advisory_unlock($1)", [lockNumber]);
    await done;
  });

  test("takes over from one that was killed while its index waited for a transaction", async () => {
    await other.query("begin isolation level repeatable read; select n from one");
    migrations.write(table, ['create index concurrently "one_n" on "one" ("n")']);
    const proxy = await openPostgresProxy(fixture.url);
    const first = migrateDatabase(proxy.url, { folder: migrations.folder });
    while ((await isBuilding()).length === 0);
    await Promise.all([expect(first).rejects.toThrow(), proxy.close()]);
    // The transaction goes on. The lock is free once the server has noticed the end of the first process.
    const take = () => other.query("select pg_try_advisory_xact_lock($1) as locked", [lockNumber]);
    while (!(await take()).rows[0].locked) await sleep(50);
    await other.query("commit");
    await migrate();
  });

  test("with nothing to apply waits for nobody", async () => {
    await other.query("select pg_advisory_lock($1)", [lockNumber]);
    await migrate();
  });
});
