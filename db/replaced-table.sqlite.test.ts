// Migrations that replace a table on SQLite: other tables keep referring to it, and no reference may break.
import BetterSqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/test/database";
import { openMigrations, type TestMigrations } from "@/test/migrations";
import { runSql } from "@/test/statements";
import { migrateDatabase } from "./migrate";
import { sqlitePath } from "./sqlite";

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

const first = [
  "create table parents (id integer primary key, role text check (role in ('member')))",
  "create table children (parent integer references parents(id))",
  "insert into parents values (1, 'member')",
  "insert into children values (1)",
];
const replacedBy = (rows: string) => [
  "PRAGMA foreign_keys=OFF;",
  "create table new_parents (id integer primary key, role text check (role in ('member', 'viewer')))",
  `insert into new_parents ${rows}`,
  "drop table parents",
  "alter table new_parents rename to parents",
  "PRAGMA foreign_keys=ON;",
];

test("a table with a different check takes the place of the old one, and rows that refer to it stay", async () => {
  migrations.write(first, replacedBy("select * from parents"));
  await migrate();
  await run("insert into parents values (2, 'viewer')");
  expect(await run("select parent, role from children join parents on parents.id = parent")).toEqual([
    { parent: 1, role: "member" },
  ]);
  await expect(run("insert into children values (9)")).rejects.toThrow("FOREIGN KEY");
});

test("a migration that loses a row to which others refer is rolled back", async () => {
  migrations.write(first, replacedBy("select * from parents where id <> 1"));
  await expect(migrate()).rejects.toThrow("a row of children refers to a missing row of parents");
  expect(await run("select id, role from parents")).toEqual([{ id: 1, role: "member" }]);
});

test("a reference that was broken before stops no migration, in this table or another", async () => {
  migrations.write(first);
  await migrate();
  await run("create table others (parent integer references parents(id))");
  const connection = new BetterSqlite(sqlitePath(fixture.url));
  connection.pragma("foreign_keys = OFF");
  connection.exec("insert into children values (7); insert into others values (7)");
  connection.close();
  migrations.write(first, replacedBy("select * from parents"));
  await migrate();
  expect(await run("select parent from children order by parent")).toEqual([{ parent: 1 }, { parent: 7 }]);
  migrations.write(first, replacedBy("select * from parents"), replacedBy("select * from parents where id <> 1"));
  await expect(migrate()).rejects.toThrow("a row of children refers to a missing row of parents");
});
