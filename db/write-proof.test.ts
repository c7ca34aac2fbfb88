// What counts as proof that the database takes writes, and for how long.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Database, Engine } from "./client";
import { DatabaseUnavailable } from "./errors";
import { freshMs, withProof } from "./write-proof";

let now: number;
/** Rows that were written as a proof. */
let proofs: number;
/** What every transaction ends with, if it is set. */
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

test("a row is written when nothing was committed lately, once for all who ask at once", async () => {
  await Promise.all([db.ping(), db.ping(), db.ping()]);
  expect(proofs).toBe(1);
  now += freshMs - 1;
  await db.ping();
  expect(proofs).toBe(1);
  now += 1;
  await db.ping();
  expect(proofs).toBe(2);
});

test("a commit of the process counts for a while, so that no row is written", async () => {
  expect(await write()).toBe("written");
  now += freshMs - 1;
  await db.ping();
  expect(proofs).toBe(0);
  now += 1;
  await db.ping();
  expect(proofs).toBe(1);
});

test("a transaction that throws is no proof, and raises no doubt", async () => {
  await db.write(() => Promise.reject(new Error("refused"))).catch(() => {});
  await db.ping();
  expect(proofs).toBe(1);
  await db.write(() => Promise.reject(new Error("refused"))).catch(() => {});
  await db.ping();
  expect(proofs).toBe(1);
});

test("after a write that was refused as unavailable only a row is proof", async () => {
  await write();
  fault = unavailable;
  await expect(write()).rejects.toBe(unavailable);
  await expect(db.ping()).rejects.toBe(unavailable);
  fault = null;
  // It may have changed nothing.
  await write();
  await db.ping();
  expect(proofs).toBe(1);
  now += freshMs - 1;
  await db.ping();
  expect(proofs).toBe(1);
});
