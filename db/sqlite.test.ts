// The settings of a SQLite file: durable, append-only even against REPLACE, readable by its owner only.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite from "better-sqlite3";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Reader } from "./client";
import { allRows, withinBudget } from "./prepared";
import { makeFolderPrivate } from "./private-files";
import { connectSqlite, openSqlite } from "./sqlite";

type SqliteReader = BetterSQLite3Database;

describe("a SQLite file", () => {
  let root: string;
  let folder: string;
  let path: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "quittance-test-"));
    folder = join(root, "new", "folder");
    path = join(folder, "test.db");
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

  test("has the settings for durability and append-only tables each time it is opened", () => {
    for (let opening = 0; opening < 2; opening++) {
      const connection = connectSqlite(path);
      const settingOf = (name: string) => connection.pragma(name, { simple: true });
      expect(settingOf("journal_mode")).toBe("wal");
      expect(settingOf("synchronous")).toBe(2);
      expect(settingOf("fullfsync")).toBe(1);
      expect(settingOf("checkpoint_fullfsync")).toBe(1);
      expect(settingOf("foreign_keys")).toBe(1);
      expect(settingOf("recursive_triggers")).toBe(1);
      connection.close();
    }
  });

  test("is refused if it cannot have a write-ahead log", () => {
    try {
      // A database in memory has its own journal mode.
      expect(() => connectSqlite(":memory:")).toThrow("SQLite refused journal_mode=WAL");
    } finally {
      // Making the files private treats the name as a file name.
      rmSync(":memory:", { force: true });
    }
  });

  test("does not let INSERT OR REPLACE past the trigger of an append-only table", () => {
    const connection = connectSqlite(path);
    connection.exec(`create table entries (id text primary key, operation text);
      create trigger entries_no_delete before delete on entries begin select raise(abort, 'append-only'); end;`);
    const insert = (verb: string, operation: string) =>
      connection.exec(`${verb} into entries values ('1', '${operation}')`);
    insert("insert", "first");
    expect(() => insert("insert or replace", "forged")).toThrow("append-only");
    expect(() => insert("replace", "forged")).toThrow("append-only");
    expect(connection.prepare("select operation from entries").pluck().all()).toEqual(["first"]);
    connection.close();
  });

  test("reports a damaged page, whether or not a query has a budget", async () => {
    const connection = connectSqlite(path);
    connection.exec("create table damaged (text text not null)");
    const insert = connection.prepare("insert into damaged values (?)");
    for (let row = 0; row < 200; row++) insert.run("x".repeat(2_000));
    connection.close();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(255, bytes.length / 2));

    const table = sqliteTable("damaged", { text: text().notNull() });
    const whole = (q: Reader) => allRows((q as unknown as SqliteReader).select().from(table).prepare())({});
    const withBudget = (q: Reader) =>
      withinBudget((q as unknown as SqliteReader).select().from(table), { left: Number.POSITIVE_INFINITY, sizes: [] });
    for (const read of [whole, withBudget]) {
      const onFault = vi.fn();
      const database = openSqlite(`file:${path}`, { fault: onFault, trouble: () => {} });
      await expect(read(database.read)).rejects.toThrow("malformed");
      expect(onFault).toHaveBeenCalledOnce();
      await database.close();
    }
  });

  test("compiles the text of a query once, and reads what is there each time", async () => {
    const connection = connectSqlite(path);
    connection.exec("create table loaves (text text not null); insert into loaves values ('rye'), ('spelt')");
    const compile = vi.spyOn(BetterSqlite.prototype, "prepare");
    const database = openSqlite(`file:${path}`, { fault: () => {}, trouble: () => {} });
    const table = sqliteTable("loaves", { text: text().notNull() });
    const atMost = (rows: number) => (database.read as unknown as SqliteReader).select().from(table).limit(rows);
    const loaves = async (rows: number) => (await atMost(rows)).map((loaf) => loaf.text);
    expect(await loaves(1)).toEqual(["rye"]);
    // Stops within the rows.
    expect(await withinBudget(atMost(9), { left: 0, sizes: [] })).toEqual([{ text: "rye" }]);
    connection.exec("insert into loaves values ('emmer')");
    expect(await Promise.all([loaves(9), loaves(2)])).toEqual([
      ["rye", "spelt", "emmer"],
      ["rye", "spelt"],
    ]);
    expect(compile.mock.calls.filter(([sql]) => sql.includes("loaves"))).toHaveLength(1);
    compile.mockRestore();
    connection.close();
    await database.close();
  });

  test("is readable by its owner only, as are its side files and created folders", async () => {
    const database = openSqlite(`file:${path}`, { fault: () => {}, trouble: () => {} });
    const names = ["test.db", "test.db-shm", "test.db-wal"];
    expect(readdirSync(folder).sort()).toEqual(names);
    expect(names.map((name) => modeOf(join(folder, name)))).toEqual(names.map(() => "600"));
    expect([modeOf(join(root, "new")), modeOf(folder)]).toEqual(["700", "700"]);
    for (const name of names) chmodSync(join(folder, name), 0o644);
    chmodSync(folder, 0o755);
    makeFolderPrivate(folder);
    expect(modeOf(folder)).toBe("700");
    connectSqlite(path).close();
    expect(names.map((name) => modeOf(join(folder, name)))).toEqual(names.map(() => "600"));
    await database.close();
  });
});
