// Migrations on both engines: recorded once complete, and never applied to the schema of a newer version.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/test/database";
import { openMigrations, type TestMigrations } from "@/test/migrations";
import { runSql } from "@/test/statements";
import { dialect } from "./dialect";
import { expectMigrated, migrateDatabase } from "./migrate";
import { NotMigrated, SchemaIsNewer } from "./migration-files";

let fixture: TestDatabase;
let migrations: TestMigrations;
beforeEach(async () => {
  fixture = await createTestDatabase();
  migrations = openMigrations();
});
afterEach(async () => {
  migrations.remove();
  await fixture.drop();
});

const migrate = () => migrateDatabase(fixture.url, { folder: migrations.folder });
const run = (sql: string) => runSql(fixture.url, sql);
const recorded = `${dialect === "sqlite" ? "" : "drizzle."}__drizzle_migrations`;
const first = ["create table one (n integer)"];

describe("a migration", () => {
  test("is applied once, and in order", async () => {
    migrations.write(first, ["insert into one values (1)", "insert into one values (2)"]);
    await migrate();
    await migrate();
    expect(await run("select n from one order by n")).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test("that failed halfway is finished by the next start, which repeats no completed statement", async () => {
    migrations.write(first, ["create table two (n integer)", "insert into three values (1)"]);
    await expect(migrate()).rejects.toThrow();
    await expect(migrate()).rejects.toThrow(/three/);
    await run("create table three (n integer)");
    await migrate();
    await migrate();
    expect(await run("select n from three")).toEqual([{ n: 1 }]);
    expect(await run("select n from two")).toEqual([]);
  });

  test("that was generated earlier but merged later is applied too", async () => {
    migrations.write(first, [""], ["create table two (n integer)"]);
    await migrate();
    // As if the second had not been there yet. `write` numbers the migrations from 1000 on.
    await run(`delete from ${recorded} where created_at = 1001`);
    migrations.write(first, ["create table three (n integer)"], ["create table two (n integer)"]);
    await migrate();
    expect(await run("select n from three")).toEqual([]);
  });

  test("is applied once by processes that start at the same time", async () => {
    migrations.write(first, ["create table two (n integer)"]);
    await Promise.all([migrate(), migrate(), migrate()]);
    expect(await run("select n from two")).toEqual([]);
  });
});

test("a schema of a newer version is refused even if the newer migration has an earlier date", async () => {
  migrations.write(first);
  await migrate();
  await run(`insert into ${recorded} (hash, created_at) values ('merged later', 999)`);
  await expect(migrate()).rejects.toThrow(SchemaIsNewer);
});

test("a schema of a newer version is refused and stays as it is", async () => {
  migrations.write(first, ["create table two (n integer)"]);
  await migrate();
  migrations.write(first);
  await expect(migrate()).rejects.toThrow(SchemaIsNewer);
  expect(await run("select n from two")).toEqual([]);
});

test("a program that only expects the schema changes nothing, and is refused unless it is current", async () => {
  const expected = () => expectMigrated(fixture.url, { folder: migrations.folder });
  migrations.write(first);
  await expect(expected()).rejects.toThrow(/no database of Quittance/);
  await migrate();
  await expected();
  migrations.write(first, ["create table two (n integer)"]);
  await expect(expected()).rejects.toThrow(NotMigrated);
  await expect(run("select n from two")).rejects.toThrow();
  await migrate();
  migrations.write(first);
  await expect(expected()).rejects.toThrow(SchemaIsNewer);
});
