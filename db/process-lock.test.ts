// One app process per SQLite file: the second is refused, and a process that exits or is killed frees the file.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "./client";
import { dialect } from "./dialect";
import { waits as entering } from "./entrance";
import { lockFile } from "./file-lock";
import { DatabaseInUse, lockDatabase, lockUnlessOurs } from "./process-lock";
import { connectSqlite, databaseFile } from "./sqlite";

describe(`on ${dialect}`, dialect === "sqlite" ? onSqlite : onPostgres);

function onSqlite() {
  let folder: string;
  let path: string;
  let child: ChildProcess | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "quittance-test-"));
    path = join(folder, "test.db");
  });
  afterEach(() => {
    child?.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts another process that locks the file, as a server does. */
  async function lockElsewhere(): Promise<ChildProcess> {
    const program = `
      const lock = new (require("better-sqlite3"))(${JSON.stringify(`${path}.lock`)});
      lock.exec("BEGIN EXCLUSIVE");
      console.log("locked");
      setInterval(() => lock.inTransaction, 1000);`;
    child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout ?? child, "data");
    return child;
  }

  test("a second process is refused until the first is killed, with nothing to clean up", async () => {
    const first = await lockElsewhere();
    await expect(lockDatabase(`file:${path}`)).rejects.toThrow(DatabaseInUse);
    first.kill("SIGKILL");
    await once(first, "exit");
    await lockDatabase(`file:${path}`);
    await expect(lockDatabase(`file:${path}`)).rejects.toThrow(path);
  });

  test("a server waits for a migration by another process, and says so", async () => {
    const usual = { ...entering };
    Object.assign(entering, { every: 1, silent: 5 });
    const held = [`${path}-migrating`, `${path}.lock`].map((file) => lockFile(file, 0));
    const reports: string[] = [];
    const locking = lockDatabase(`file:${path}`, (sentence) => reports.push(sentence));
    try {
      await expect.poll(() => reports).toEqual([expect.stringMatching(/^another process is migrating/)]);
    } finally {
      for (const unlock of held.reverse()) unlock?.();
      Object.assign(entering, usual);
      (await locking)();
    }
  });

  test("a link to the file names the same database", async () => {
    connectSqlite(path).close();
    const link = join(folder, "link.db");
    symlinkSync(path, link);
    await lockElsewhere();
    await expect(lockDatabase(`file:${link}`)).rejects.toThrow(DatabaseInUse);
  });

  test("a link to a file that does not exist yet names the file that the first start creates", async () => {
    const names = ["outer.db", "inner.db"].map((name) => join(folder, name));
    symlinkSync("inner.db", names[0] ?? "");
    symlinkSync(path, names[1] ?? "");
    const unlock = await lockDatabase(`file:${names[0]}`);
    const database = await openDatabase({ url: `file:${names[0]}` });
    await database.close();
    for (const name of [...names, path]) await expect(lockDatabase(`file:${name}`)).rejects.toThrow(DatabaseInUse);
    unlock();
    const beside = readdirSync(folder).filter((name) => !name.startsWith("test.db"));
    expect(beside.sort()).toEqual(["inner.db", "outer.db"]);
  });

  test("a process knows its own lock on a file that it created afterwards, in a folder that is a link", async () => {
    symlinkSync(folder, join(folder, "linked"));
    const url = `file:${join(folder, "linked", "test.db")}`;
    const unlock = await lockDatabase(url);
    connectSqlite(path).close();
    expect(lockUnlessOurs(databaseFile(url))).not.toBeNull();
    unlock();
  });

  test("links in a circle are refused", async () => {
    symlinkSync("b.db", join(folder, "a.db"));
    symlinkSync("a.db", join(folder, "b.db"));
    await expect(lockDatabase(`file:${join(folder, "a.db")}`)).rejects.toThrow(/ELOOP/);
  });

  test("ledger checks and short commands can still open the database", async () => {
    await lockElsewhere();
    const beside = connectSqlite(path);
    beside.exec("create table t (id text)");
    beside.close();
  });
}

function onPostgres() {
  test("any number of processes may run", async () => {
    await lockDatabase("postgres://localhost/any");
    await lockDatabase("postgres://localhost/any");
  });
}
