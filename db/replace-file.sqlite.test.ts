// Replacing a SQLite file: nobody opens it meanwhile, and only a restore's own file takes its place.
import { linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import BetterSqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openDatabase } from "./client";
import { lockFile } from "./file-lock";
import { ReplacementUnfinished, replaceDatabase, whileInPlace } from "./replace-file";

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  return { ...fs, linkSync: vi.fn(fs.linkSync) };
});

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "quittance-replace-"));
  path = join(folder, "test.db");
  make(path, "old");
});
afterEach(() => {
  vi.mocked(linkSync).mockReset();
  rmSync(folder, { recursive: true, force: true });
});

const make = (file: string, name: string) =>
  void new BetterSqlite(file).exec(`create table ${name} (n integer)`).close();

function tableIn(file: string): unknown {
  const connection = new BetterSqlite(file, { readonly: true });
  try {
    return connection.prepare("select name from sqlite_master").pluck().get();
  } finally {
    connection.close();
  }
}

const stamp = "20261122T163000Z";

test("a process that is about to open the database waits until the other file is in its place", async () => {
  // Loads the modules, so that only the wait takes time.
  await (await openDatabase({ url: `file:${path}` })).close();
  const leave = lockFile(`${path}-migrating`, 0);
  let isOpen = false;
  const opening = openDatabase({ url: `file:${path}` });
  const opened = opening.then(() => {
    isOpen = true;
  });
  await sleep(100);
  expect(isOpen).toBe(false);
  leave?.();
  await opened;
  await (await opening).close();
});

test("a process that opens the database first finishes an interrupted replacement", async () => {
  make(`${path}-restored-${stamp}`, "new");
  const database = await openDatabase({ url: `file:${path}` });
  await database.close();
  expect([tableIn(path), tableIn(`${path}-replaced-${stamp}`)]).toEqual(["new", "old"]);
});

test("files with similar names stay where they are", async () => {
  const others = ["monday", "", `${stamp}.partial`, "20261122"].map((end) => `test.db-restored-${end}`);
  for (const name of others) writeFileSync(join(folder, name), "of an operator");
  await whileInPlace(path, () => {});
  expect(tableIn(path)).toBe("old");
  expect(readdirSync(folder).sort()).toEqual(["test.db", "test.db-migrating", ...others].sort());
});

test("an error after the decision says that the next process finishes the replacement", async () => {
  vi.mocked(linkSync).mockImplementationOnce(() => {
    throw Object.assign(new Error("i/o error"), { code: "EIO" });
  });
  const replacement = join(folder, "copy.db");
  make(replacement, "new");
  await expect(replaceDatabase(path, { replacement, stamp })).rejects.toThrow(ReplacementUnfinished);
  expect(tableIn(path)).toBe("old");
  await whileInPlace(path, () => {});
  expect([tableIn(path), tableIn(`${path}-replaced-${stamp}`)]).toEqual(["new", "old"]);
});

test("the database is kept on a file system without links too", async () => {
  vi.mocked(linkSync).mockImplementation(() => {
    throw Object.assign(new Error("operation not permitted"), { code: "EPERM" });
  });
  const before = readFileSync(path);
  const replacement = join(folder, "copy.db");
  make(replacement, "new");
  const kept = await replaceDatabase(path, { replacement, stamp });
  expect(tableIn(path)).toBe("new");
  expect(readFileSync(kept ?? "").equals(before)).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(["test.db", "test.db-migrating", `test.db-replaced-${stamp}`]);
});
