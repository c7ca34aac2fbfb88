// Migrations on SQLite while a server is using the file: nothing changes under it.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/test/database";
import { openMigrations, type TestMigrations } from "@/test/migrations";
import { runSql } from "@/test/statements";
import { waits as entering } from "./entrance";
import { lockFile } from "./file-lock";
import { migrateDatabase } from "./migrate";
import { waits } from "./migrate-sqlite";
import { lockDatabase } from "./process-lock";
import { databaseFile } from "./sqlite";

const usual = { waits: { ...waits }, entering: { ...entering } };
let fixture: TestDatabase;
let migrations: TestMigrations;
let server: ChildProcess | undefined;
beforeEach(async () => {
  fixture = await createTestDatabase();
  migrations = openMigrations();
  migrations.write(["create table one (n integer)"]);
  await migrate();
  migrations.write(["create table one (n integer)"], ["create table two (n integer)"]);
});
afterEach(async () => {
  Object.assign(waits, usual.waits);
  Object.assign(entering, usual.entering);
  server?.kill("SIGKILL");
  migrations.remove();
  await fixture.drop();
});

const reports: string[] = [];
const migrate = () =>
  migrateDatabase(fixture.url, { folder: migrations.folder, report: (sentence) => reports.push(sentence) });
const isMigrated = () => runSql(fixture.url, "select n from two").then(Boolean, () => false);

/** Another process that locks the database, as every server does. */
async function serveElsewhere(): Promise<ChildProcess> {
  const program = `
    const lock = new (require("better-sqlite3"))(${JSON.stringify(`${databaseFile(fixture.url)}.lock`)});
    lock.exec("BEGIN EXCLUSIVE");
    console.log("locked");
    setInterval(() => lock.inTransaction, 1000);`;
  server = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  await once(server.stdout ?? server, "data");
  return server;
}

test("a migration waits until a server has stopped", async () => {
  const serving = await serveElsewhere();
  reports.length = 0;
  const migrating = migrate();
  await expect.poll(() => reports).toEqual([expect.stringMatching(/^a server or a restore is using the database/)]);
  expect(await isMigrated()).toBe(false);
  serving.kill("SIGKILL");
  await migrating;
  expect(await isMigrated()).toBe(true);
});

test("a migration gives up in the end, and says why", async () => {
  await serveElsewhere();
  Object.assign(waits, { every: 1, longest: 0 });
  await expect(migrate()).rejects.toThrow(
    /^A server of an earlier version, or a restore, is using the database. Stop it first.$/,
  );
  expect(await isMigrated()).toBe(false);
});

test("a server migrates the database that it has locked itself, and others then find nothing to do", async () => {
  const unlock = await lockDatabase(fixture.url);
  await migrate();
  unlock();
  await serveElsewhere();
  await migrate();
  expect(await isMigrated()).toBe(true);
});

test("a process that waits for another says so, once", async () => {
  Object.assign(entering, { every: 1, silent: 20 });
  const leave = lockFile(`${databaseFile(fixture.url)}-migrating`, 0);
  reports.length = 0;
  const migrating = migrate();
  await expect
    .poll(() => reports)
    .toEqual([expect.stringMatching(/^another process is migrating or replacing .*test.db/)]);
  leave?.();
  await migrating;
  expect(reports.slice(1)).toEqual(["applying migration 0001"]);
});
