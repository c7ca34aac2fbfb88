// One app process per SQLite file: the second is refused, and a process that ends by itself or by force frees the file.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dialect } from "./dialect";
import { DatabaseInUse, holdDatabase } from "./process-lock";
import { connectSqlite } from "./sqlite";

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

  /** Another process that holds the lock of the file, as a server does. */
  async function holdElsewhere(): Promise<ChildProcess> {
    const program = `
      const lock = new (require("better-sqlite3"))(${JSON.stringify(`${path}.lock`)});
      lock.exec("BEGIN EXCLUSIVE");
      console.log("held");
      setInterval(() => lock.inTransaction, 1000);`;
    child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout ?? child, "data");
    return child;
  }

  test("a second process is refused until the first is killed, and leaves nothing behind that must be cleared", async () => {
    const first = await holdElsewhere();
    expect(() => holdDatabase(`file:${path}`)).toThrow(DatabaseInUse);
    first.kill("SIGKILL");
    await once(first, "exit");
    holdDatabase(`file:${path}`);
    expect(() => holdDatabase(`file:${path}`)).toThrow(path);
  });

  test("a link to the file names the same database", async () => {
    connectSqlite(path).close();
    const link = join(folder, "link.db");
    symlinkSync(path, link);
    await holdElsewhere();
    expect(() => holdDatabase(`file:${link}`)).toThrow(DatabaseInUse);
  });

  test("the database itself stays open to proofs and short commands", async () => {
    await holdElsewhere();
    const beside = connectSqlite(path);
    beside.exec("create table t (id text)");
    beside.close();
  });
}

function onPostgres() {
  test("any number of processes may serve", () => {
    holdDatabase("postgres://localhost/any");
    holdDatabase("postgres://localhost/any");
  });
}
