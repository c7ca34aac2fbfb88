// Seals: which entries they cover, that commits may be late, concurrent writers, and an interrupted first run.
import { asc, max } from "drizzle-orm";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { auditEntries, auditSealEntries, auditSeals } from "@/db/tables";
import { newId } from "@/server/kit/ids";
import { dayMs, hourMs, limits, minuteMs } from "@/server/kit/limits";
import { anotherProcess, openWorld, type World } from "@/test/world";
import * as store from "./seal-store";
import { writeSeals } from "./seals";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await world.close();
});

/** Writes entries as of an instant, in one transaction. Returns their ids. */
async function entries(count: number, at = world.clock.now()): Promise<string[]> {
  const rows = Array.from({ length: count }, () => ({
    id: newId("aud", at),
    operation: "test",
    actorType: "system" as const,
    detail: { text: 'line\n"ß' },
    requestId: newId("req", at),
    createdAt: at,
  }));
  await world.runtime.db.write(async (tx) => {
    await tx.insert(auditEntries).values(rows);
  });
  return rows.map(({ id }) => id);
}

const seals = () => world.runtime.db.read.select().from(auditSeals).orderBy(asc(auditSeals.number));
const sealedIds = async () => {
  const rows = await world.runtime.db.read.select({ id: auditSealEntries.entryId }).from(auditSealEntries);
  return rows.map(({ id }) => id).sort();
};

it("covers exactly the entries that no seal covers", async () => {
  expect(await writeSeals(world.runtime)).toBe(0);
  const first = await entries(3);
  expect(await writeSeals(world.runtime)).toBe(3);
  expect(await writeSeals(world.runtime)).toBe(0);
  const second = await entries(1);
  expect(await writeSeals(world.runtime)).toBe(1);
  expect((await seals()).map(({ number, entryCount }) => [number, entryCount])).toEqual([
    [1, 3],
    [2, 1],
  ]);
  expect(await sealedIds()).toEqual([...first, ...second].sort());
});

it("is logged once per run, however many seals the run writes", async () => {
  const log = vi.spyOn(world.runtime.log, "info");
  await entries(2 * limits.batch.seal + 1);
  await writeSeals(world.runtime);
  await writeSeals(world.runtime);
  const [, , last] = await seals();
  const lines = log.mock.calls.filter(([, message]) => message === "audit seal");
  expect(lines).toEqual([[{ seal: `3:${last?.signature}` }, "audit seal"]]);
});

it("covers an entry that commits late, and reads only the latest ones every minute", async () => {
  await entries(2);
  await writeSeals(world.runtime);
  world.clock.advance(30 * minuteMs);
  await writeSeals(world.runtime);
  await entries(1, world.clock.now() - 4 * minuteMs);
  const read = vi.spyOn(store, "unsealedPage");
  expect(await writeSeals(world.runtime)).toBe(1);
  const pages = await Promise.all(read.mock.results.map(({ value }) => value));
  expect(pages.map(({ ids }) => ids.length)).toEqual([1]);
  const late = await entries(1, world.clock.now() - 20 * minuteMs);
  expect(await writeSeals(world.runtime)).toBe(0);
  world.clock.advance(hourMs);
  expect(await writeSeals(world.runtime)).toBe(1);
  expect(await sealedIds()).toEqual(expect.arrayContaining(late));
});

it("covers no entry that appears more than a day back", async () => {
  await entries(1);
  await writeSeals(world.runtime);
  await entries(1, world.clock.now() - dayMs - minuteMs);
  world.clock.advance(2 * hourMs);
  expect(await writeSeals(world.runtime)).toBe(0);
});

it("covers what is written after the clock was set back by days", async () => {
  world.clock.advance(3 * dayMs);
  await entries(1);
  await writeSeals(world.runtime);
  world.clock.advance(-3 * dayMs);
  await entries(1);
  expect(await writeSeals(world.runtime)).toBe(1);
  await entries(1);
  world.clock.advance(minuteMs);
  expect(await writeSeals(world.runtime)).toBe(1);
});

it("is written by one of several processes, without gaps, while others write entries", async () => {
  const other = await anotherProcess(world);
  for (let round = 0; round < 4; round++) {
    const runs = [world, other, world, other].map(({ runtime }) => writeSeals(runtime));
    await Promise.all([...runs, entries(2), entries(1)]);
  }
  await writeSeals(world.runtime);
  await other.close();
  const numbers = (await seals()).map(({ number }) => number);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  expect(await sealedIds()).toHaveLength(12);
});

it("seals no later page while another process seals an earlier one", async () => {
  const { seal: pageSize } = limits.batch;
  for (const age of [5, 4]) await entries(pageSize, world.clock.now() - age * dayMs);
  const lock = vi.spyOn(world.runtime.db, "tryLockName").mockResolvedValueOnce(false);
  expect(await writeSeals(world.runtime)).toBe(0);
  expect(lock).toHaveBeenCalledTimes(1);
  expect(await writeSeals(world.runtime)).toBe(2 * pageSize);
});

it("continues with the oldest entries after the first run was interrupted", async () => {
  const { seal: pageSize } = limits.batch;
  for (const age of [5, 4, 3]) await entries(pageSize, world.clock.now() - age * dayMs);
  const stopping = new AbortController();
  const insert = vi.spyOn(store, "insertSeal").mockImplementation(async (...args) => {
    stopping.abort();
    insert.mockRestore();
    await store.insertSeal(...args);
  });
  expect(await writeSeals(world.runtime, stopping.signal)).toBe(pageSize);
  // The last run of a stopping process must not seal newer entries first.
  await entries(1);
  expect(await writeSeals(world.runtime, stopping.signal)).toBe(0);
  const next = await anotherProcess(world);
  expect(await writeSeals(next.runtime)).toBe(2 * pageSize + 1);
  await next.close();
});

it("is signed anew after the server key was rotated, even without new entries", async () => {
  await entries(1);
  await writeSeals(world.runtime);
  const key = Buffer.alloc(32, 9).toString("base64");
  const env = { ...world.runtime.env, secretKeys: [Buffer.from(key, "base64"), Buffer.alloc(32, 7)] };
  const rotated = await anotherProcess({ ...world, runtime: { ...world.runtime, env } });
  expect(await writeSeals(rotated.runtime)).toBe(0);
  await rotated.close();
  const [first, second] = await seals();
  expect(second).toMatchObject({ number: 2, entryCount: 0 });
  expect(second?.keyId).not.toBe(first?.keyId);
  const [last] = await world.runtime.db.read.select({ number: max(auditSeals.number) }).from(auditSeals);
  expect(last?.number).toBe(2);
});
