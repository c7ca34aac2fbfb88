// What proves that the database takes writes, and for how long.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Database, Engine } from "./client";
import { DatabaseUnavailable } from "./errors";
import { freshMs, withProof } from "./write-proof";

let now: number;
/** How many proof rows were written. */
let proofs: number;
/** The error that every transaction throws, if set. */
let fault: Error | null;
let db: Database;
beforeEach(() => {
  now = 1_000_000;
  proofs = 0;
  fault = null;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const engine = {
    async write(work: () => Promise<unknown>) {
      if (fault) throw fault;
      return work();
    },
    async writeBeside() {
      if (fault) throw fault;
      proofs++;
    },
  };
  db = withProof(engine as unknown as Engine);
});
afterEach(() => vi.restoreAllMocks());

const write = () => db.write(async () => "written");
const unavailable = new DatabaseUnavailable(new Error("full"));

test("a row is written if nothing was committed lately, shared by concurrent pings", async () => {
  await Promise.all([db.ping(), db.ping(), db.ping()]);
  expect(proofs).toBe(1);
  now += freshMs - 1;
  await db.ping();
  expect(proofs).toBe(1);
  now += 1;
  await db.ping();
  expect(proofs).toBe(2);
});

test("a recent commit counts as proof, so no row is written", async () => {
  expect(await write()).toBe("written");
  now += freshMs - 1;
  await db.ping();
  expect(proofs).toBe(0);
  now += 1;
  await db.ping();
  expect(proofs).toBe(1);
});

test("a transaction that throws proves nothing either way", async () => {
  await db.write(() => Promise.reject(new Error("refused"))).catch(() => {});
  await db.ping();
  expect(proofs).toBe(1);
  await db.write(() => Promise.reject(new Error("refused"))).catch(() => {});
  await db.ping();
  expect(proofs).toBe(1);
});

test("after an unavailable write, only a new row is proof", async () => {
  await write();
  fault = unavailable;
  await expect(write()).rejects.toBe(unavailable);
  await expect(db.ping()).rejects.toBe(unavailable);
  fault = null;
  // This commit may have changed nothing.
  await write();
  await db.ping();
  expect(proofs).toBe(1);
  now += freshMs - 1;
  await db.ping();
  expect(proofs).toBe(1);
});
