// SQLite's commit loop under faults: every write is answered, the event loop stays free, a damaged file is not written.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database as Connection, SqliteError } from "better-sqlite3";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Tx } from "./client";
import { DatabaseUnavailable } from "./errors";
import { GroupCommit } from "./group-commit";
import { connectSqlite } from "./sqlite";

let folder: string;
let writer: Connection;
let other: Connection;
/** Maps SQL to the error that its next run throws. The entry is removed when it is thrown. */
let faults: Map<string, Error>;
let reported: Error[];
/** Syncs committed data to the disk. */
let sync: () => Promise<void>;
let ready: Promise<void> | undefined;
let group: GroupCommit;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "quittance-test-"));
  writer = connectSqlite(join(folder, "test.db"));
  writer.exec("create table t (id text primary key, filling blob)");
  writer.pragma("busy_timeout = 0");
  other = connectSqlite(join(folder, "test.db"));
  faults = new Map();
  reported = [];
  sync = async () => {};
  ready = undefined;
  const onFault = (error: Error) => reported.push(error);
  const log = { ready: () => ready, committed: () => {}, sync: () => sync() };
  group = new GroupCommit(withFaults(writer), {} as Tx, log, onFault);
});
afterEach(async () => {
  await group.end();
  writer.close();
  other.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The connection, with prepared statements that fail as `faults` says. */
function withFaults(connection: Connection): Connection {
  const prepare = (sql: string) => {
    const statement = connection.prepare(sql);
    return {
      run() {
        const fault = faults.get(sql);
        faults.delete(sql);
        if (fault) throw fault;
        return statement.run();
      },
    };
  };
  return new Proxy(connection, {
    get: (target, name) => (name === "prepare" ? prepare : Reflect.get(target, name, target)),
  });
}

const insert = (id: string, bytes = 1) =>
  group.write(async () => void writer.prepare("insert into t values (?, zeroblob(?))").run(id, bytes));
const insertMany = (count: number) => Promise.allSettled(Array.from({ length: count }, (_, i) => insert(`many ${i}`)));
const ids = () => other.prepare("select id from t order by id").pluck().all();
const unavailable = { status: "rejected", reason: expect.any(DatabaseUnavailable) };

test("a group waits for another writer with a timer, so that other work continues", async () => {
  other.exec("BEGIN IMMEDIATE");
  // It could not fire if the writer slept inside SQLite.
  setTimeout(() => other.exec("ROLLBACK"), 100);
  expect(await insertMany(100)).toEqual(Array(100).fill({ status: "fulfilled", value: undefined }));
});

test("writes that cannot begin fail together, not one by one", { timeout: 15_000 }, async () => {
  other.exec("BEGIN IMMEDIATE");
  const runs: number[] = [];
  const writes = Array.from({ length: 200 }, (_, i) => group.write(async () => void runs.push(i)));
  expect(await Promise.allSettled(writes)).toEqual(Array(200).fill(unavailable));
  expect(runs).toEqual([]);
  other.exec("ROLLBACK");
  await insert("afterwards");
  expect(ids()).toEqual(["afterwards"]);
  expect(reported).toEqual([]);
});

test("a group ends after a while, so that other work can run", async () => {
  const turns: number[] = [];
  let turn = 0;
  const count = setInterval(() => turn++, 0);
  const slow = async () => {
    const until = performance.now() + 5;
    while (performance.now() < until);
    turns.push(turn);
  };
  await Promise.all(Array.from({ length: 12 }, () => group.write(slow)));
  clearInterval(count);
  expect(new Set(turns).size).toBeGreaterThanOrEqual(5);
});

test("a full disk fails only the writes that do not fit, and recovers", async () => {
  const pages = Number(writer.pragma("page_count", { simple: true }));
  writer.pragma(`max_page_count = ${pages}`);
  const results = await Promise.allSettled([insert("a"), insert("large", 1_000_000), insert("b")]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(results[1]).toEqual(unavailable);
  expect(ids()).toEqual(["a", "b"]);
  writer.pragma(`max_page_count = ${pages + 1000}`);
  await insert("large", 1_000_000);
  expect(reported).toEqual([]);
});

test("after a fault in a group, its writes run again one by one", async () => {
  faults.set("SAVEPOINT item", new Error("unexpected"));
  expect(await insertMany(3)).toEqual(Array(3).fill({ status: "fulfilled", value: undefined }));
  expect(ids()).toHaveLength(3);
});

test.each(["SQLITE_NOMEM", "SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PROTOCOL", "SQLITE_ERROR"])(
  "a BEGIN that fails with %s fails the waiting writes, and the next write succeeds",
  async (code) => {
    faults.set("BEGIN IMMEDIATE", new SqliteError("no transaction", code));
    expect(await insertMany(3)).toEqual(Array(3).fill(unavailable));
    await insert("afterwards");
    expect(ids()).toEqual(["afterwards"]);
    expect(reported).toEqual([]);
  },
);

test("a transaction left open is rolled back at the next BEGIN", async () => {
  writer.exec("BEGIN IMMEDIATE; insert into t values ('left open', null)");
  expect(await insertMany(3)).toEqual(Array(3).fill(unavailable));
  await insert("afterwards");
  expect(ids()).toEqual(["afterwards"]);
  expect(reported).toEqual([]);
});

test("a transaction left open that cannot be rolled back stops all writes", async () => {
  writer.exec("BEGIN IMMEDIATE");
  faults.set("ROLLBACK", new Error("stuck"));
  expect(await insertMany(3)).toEqual(Array(3).fill(unavailable));
  await expect(insert("afterwards")).rejects.toBeInstanceOf(DatabaseUnavailable);
  expect(reported).toEqual([expect.objectContaining({ message: "stuck" })]);
  writer.exec("ROLLBACK");
});

test.each(["COMMIT", "SAVEPOINT item", "BEGIN IMMEDIATE"])(
  "an I/O error at %s stops all writes, and each is answered",
  async (statement) => {
    faults.set(statement, new SqliteError("disk I/O error", "SQLITE_IOERR_FSYNC"));
    expect(await insertMany(100)).toEqual(Array(100).fill(unavailable));
    expect(reported).toHaveLength(1);
    await expect(insert("afterwards")).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(ids()).toEqual([]);
    expect(reported).toHaveLength(1);
  },
);

test("a write is answered once it is on the disk; the next group runs meanwhile, and no further one", async () => {
  const waits: (() => void)[] = [];
  sync = () => new Promise((resolve) => waits.push(resolve));
  const answers: string[] = [];
  const write = (id: string) => insert(id).then(() => answers.push(id));
  const first = write("1st");
  await vi.waitFor(() => expect(waits).toHaveLength(1));
  const second = write("2nd");
  await vi.waitFor(() => expect(ids()).toEqual(["1st", "2nd"]));
  const third = write("3rd");
  // Timers fire, but nothing else is written: a disk fault would put that in doubt too.
  await new Promise((resume) => setTimeout(resume, 20));
  expect([answers, waits.length, ids()]).toEqual([[], 1, ["1st", "2nd"]]);
  waits[0]?.();
  await first;
  // The first sync began before the second commit.
  await vi.waitFor(() => expect([waits.length, ids()]).toEqual([2, ["1st", "2nd", "3rd"]]));
  expect(answers).toEqual(["1st"]);
  waits[1]?.();
  await second;
  await vi.waitFor(() => expect(waits).toHaveLength(3));
  waits[2]?.();
  await third;
  expect(answers).toEqual(["1st", "2nd", "3rd"]);
});

test("a sync that fails refuses the group that was committed meanwhile, without another sync", async () => {
  const waits: ((error: Error) => void)[] = [];
  sync = () => new Promise((_, reject) => waits.push(reject));
  const first = Promise.allSettled([insert("1st")]);
  await vi.waitFor(() => expect(waits).toHaveLength(1));
  const second = Promise.allSettled([insert("2nd")]);
  await vi.waitFor(() => expect(ids()).toEqual(["1st", "2nd"]));
  const third = Promise.allSettled([insert("3rd")]);
  waits[0]?.(Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" }));
  expect(await Promise.all([first, second, third])).toEqual(Array(3).fill([unavailable]));
  expect([waits.length, ids()]).toEqual([1, ["1st", "2nd"]]);
  expect(reported).toHaveLength(1);
});

test("no transaction begins before the log is ready", async () => {
  let isReady = () => {};
  ready = new Promise((resolve) => {
    isReady = resolve;
  });
  const write = insert("later");
  await new Promise((resume) => setTimeout(resume, 20));
  expect(ids()).toEqual([]);
  isReady();
  await write;
  expect(ids()).toEqual(["later"]);
});

test("a log that cannot be synced stops all writes", async () => {
  sync = () => Promise.reject(Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" }));
  expect(await insertMany(3)).toEqual(Array(3).fill(unavailable));
  await expect(insert("afterwards")).rejects.toBeInstanceOf(DatabaseUnavailable);
  expect(reported).toEqual([expect.objectContaining({ code: "EIO" })]);
  expect(group.isStopped).toBe(true);
});

test("a transaction that cannot be rolled back stops all writes at once", async () => {
  faults.set("COMMIT", new Error("unexpected"));
  faults.set("ROLLBACK", new Error("stuck"));
  expect(await insertMany(3)).toEqual(Array(3).fill(unavailable));
  expect(reported).toEqual([expect.objectContaining({ message: "stuck" })]);
  await expect(insert("afterwards")).rejects.toBeInstanceOf(DatabaseUnavailable);
  writer.exec("ROLLBACK");
});
