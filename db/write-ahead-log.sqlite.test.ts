// The log of a SQLite database: on the disk before anyone is answered, copied by a thread, and bounded.
import {
  copyFileSync,
  fdatasync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database as Connection } from "better-sqlite3";
import { type BaseSQLiteDatabase, blob, sqliteTable } from "drizzle-orm/sqlite-core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DatabaseUnavailable } from "./errors";
import { connectSqlite, openSqlite } from "./sqlite";
import { WriteAheadLog } from "./write-ahead-log";

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  return { ...fs, fdatasync: vi.fn(fs.fdatasync) };
});

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "quittance-test-"));
  path = join(folder, "test.db");
});
afterEach(() => {
  vi.mocked(fdatasync).mockRestore();
  rmSync(folder, { recursive: true, force: true });
});

const table = sqliteTable("t", { filling: blob() });
const row = { filling: Buffer.alloc(4_000) };
const create = (connection: Connection) => connection.exec("create table if not exists t (filling blob)");
const countIn = (file: string) => {
  const connection = connectSqlite(file, true);
  const count = connection.prepare("select count(*) from t").pluck().get();
  connection.close();
  return count;
};

/** The database file without its log. */
const copyOf = (file: string) => {
  const copy = `${file}-copy`;
  copyFileSync(file, copy);
  return copy;
};

/** Opens the database as the product does, with a table. */
function openDatabase(onFault: (error: Error) => void) {
  const connection = connectSqlite(path);
  create(connection);
  connection.close();
  const database = openSqlite(`file:${path}`, { fault: onFault, trouble: () => {} });
  const write = () =>
    database.write(async (tx) => {
      const q = tx as unknown as BaseSQLiteDatabase<"sync", unknown>;
      q.insert(table).values(row).run();
    });
  return { ...database, write };
}

/** Opens a connection that commits as the product's does, and its log. */
function openLog(rule: { afterMs: number; longLog: number }) {
  const writer = connectSqlite(path);
  writer.pragma("synchronous = NORMAL");
  writer.pragma("wal_autocheckpoint = 0");
  create(writer);
  const insert = writer.prepare("insert into t values (?)");
  const log = new WriteAheadLog(path, { fault: () => {}, trouble: () => {} }, rule);
  const write = async () => {
    await log.ready();
    insert.run(row.filling);
    log.committed();
    await log.sync();
  };
  const close = () => log.close().then(() => writer.close());
  return { write, close };
}

test("a write is answered once the log is synced to the disk", async () => {
  const database = openDatabase(() => {});
  const syncs: { file: number; done: () => void }[] = [];
  vi.mocked(fdatasync).mockImplementation((fd, done) => {
    syncs.push({ file: fstatSync(fd).ino, done: () => done(null) });
  });
  const onAnswer = vi.fn();
  const written = database.write().then(onAnswer);
  await vi.waitFor(() => expect(syncs.map(({ file }) => file)).toEqual([statSync(`${path}-wal`).ino]));
  expect(onAnswer).not.toHaveBeenCalled();
  syncs[0]?.done();
  await written;
  await database.close();
});

test("the synced log is SQLite's own, which is not beside a symbolic link", async () => {
  const real = join(folder, "elsewhere");
  mkdirSync(real);
  symlinkSync(join(real, "real.db"), path);
  writeFileSync(join(real, "real.db"), "");
  // The state of a database that was moved and linked after a crash.
  writeFileSync(`${path}-wal`, "");
  const database = openDatabase(() => {});
  const synced: number[] = [];
  vi.mocked(fdatasync).mockImplementation((fd, done) => {
    synced.push(fstatSync(fd).ino);
    done(null);
  });
  await database.write();
  expect(synced).toEqual([statSync(join(real, "real.db-wal")).ino]);
  await database.close();
});

test("a write while the database closes is refused, without reporting a fault", async () => {
  const onFault = vi.fn();
  const database = openDatabase(onFault);
  const { fdatasync: real } = await vi.importActual<typeof import("node:fs")>("node:fs");
  vi.mocked(fdatasync).mockImplementation((fd, done) => void setTimeout(() => real(fd, done), 20));
  const early = database.write();
  const closing = database.close();
  await expect(database.write()).rejects.toBeInstanceOf(DatabaseUnavailable);
  await expect(early).resolves.toBeUndefined();
  await closing;
  expect(onFault).not.toHaveBeenCalled();
  expect(countIn(path)).toBe(1);
});

test("after a failed sync, no checkpoint runs before the next start", async () => {
  const onFault = vi.fn();
  const database = openDatabase(onFault);
  await database.write();
  const error = Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
  vi.mocked(fdatasync).mockImplementation((_fd, done) => done(error));
  await expect(database.write()).rejects.toBeInstanceOf(DatabaseUnavailable);
  await expect(database.write()).rejects.toBeInstanceOf(DatabaseUnavailable);
  expect(onFault.mock.calls).toEqual([[error]]);
  const { size } = statSync(path);
  // The first write's checkpoint would be due after a second.
  await sleep(1_500);
  await database.close();
  expect(statSync(path).size).toBe(size);
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
});

test("committed data reaches the database file soon after", async () => {
  const { write, close } = openLog({ afterMs: 10, longLog: 1_000 });
  await write();
  await vi.waitFor(() => expect(countIn(copyOf(path))).toBe(1));
  await close();
});

test("the log stays bounded under constant writes", async () => {
  const { write, close } = openLog({ afterMs: 1, longLog: 100 });
  // Each row takes at least one page of 4 KiB. A slow disk makes the log longer, so the bound shows after more writes.
  const pages = () => statSync(`${path}-wal`).size / 4_096;
  let written = 0;
  do {
    for (let n = 0; n < 1_000; n++) await write();
    written += 1_000;
  } while (pages() > written / 2 && written < 20_000);
  expect(pages()).toBeLessThan(written / 2);
  await close();
  expect(countIn(path)).toBe(written);
});

test("a checkpoint that finds the file damaged reports it", async () => {
  const onFault = vi.fn();
  writeFileSync(path, "x".repeat(8_192));
  writeFileSync(`${path}-wal`, "");
  const log = new WriteAheadLog(path, { fault: onFault, trouble: () => {} }, { afterMs: 1, longLog: 100 });
  await log.sync();
  await vi.waitFor(() => expect(onFault).toHaveBeenCalledWith(expect.objectContaining({ code: "SQLITE_NOTADB" })));
  await log.close();
});

test("after a checkpoint fails for another reason, the next one catches up", async () => {
  const [fault, trouble] = [vi.fn(), vi.fn()];
  const writer = connectSqlite(path);
  create(writer);
  const log = new WriteAheadLog(path, { fault, trouble }, { afterMs: 1, longLog: 100 });
  const away = `${path}-away`;
  renameSync(path, away);
  await log.sync();
  await vi.waitFor(() => expect(trouble).toHaveBeenCalledWith(expect.objectContaining({ code: "SQLITE_CANTOPEN" })));
  renameSync(away, path);
  writer.prepare("insert into t values (?)").run(row.filling);
  await log.sync();
  await vi.waitFor(() => expect(countIn(copyOf(path))).toBe(1));
  await log.close();
  expect(fault).not.toHaveBeenCalled();
  writer.close();
});
