// The lease on a saga's key: kept while its process may be working, free afterwards, regardless of processes' clocks.
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { ageKeyLeases } from "@/test/key-leases";
import { anotherProcess, callRequest, openWorld, type World } from "@/test/world";
import { type IdempotencyKey, keepFinalAnswer, keepIntent, leaseMs, recall, releaseIntent } from "./idempotency";

let world: World;
let key: IdempotencyKey;
/** The lease of the first process. */
let first: number;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  key = { id: world.id("req"), fingerprints: ["the same request"] };
  first = await world.runtime.db.write((tx) => keepIntent(tx, world.runtime, key, intent));
});
afterAll(() => world.close());

const intent = { step: "one" };
const recalled = ({ runtime }: Pick<World, "runtime"> = world) =>
  runtime.db.write((tx) => recall(tx, runtime, key, callRequest(runtime)));
const taken = { intent, lease: expect.any(Number) };
const release = (lease: number) => world.runtime.db.write((tx) => releaseIntent(tx, key, lease));
const finish = (output: unknown) => world.runtime.db.write((tx) => keepFinalAnswer(tx, key, { output }));
const inUse = { code: "idempotency_key_in_use" };

it("a lease lasts half a minute, and starts again when taken over", async () => {
  await ageKeyLeases(world, leaseMs / 2);
  await expect(recalled()).rejects.toMatchObject(inUse);
  await ageKeyLeases(world, leaseMs / 2);
  expect(await recalled()).toEqual(taken);
  await expect(recalled()).rejects.toMatchObject(inUse);
});

it.each([-3_600_000, -31_000, 31_000, 3_600_000])(
  "a lease is the same for a process whose clock differs by %i ms",
  async (difference) => {
    const other = await anotherProcess(world, { clock: { now: () => world.clock.now() + difference } });
    await expect(recalled(other)).rejects.toMatchObject(inUse);
    await ageKeyLeases(world, leaseMs);
    expect(await recalled(other)).toEqual(taken);
    await expect(recalled()).rejects.toMatchObject(inUse);
    await other.close();
  },
);

it("a lease ends at once if it began while the database's clock was an hour fast", async () => {
  await ageKeyLeases(world, -3_600_000);
  expect(await recalled()).toEqual(taken);
});

it("a lease is released only by its owner, not by a former one", async () => {
  // A lease is named by the millisecond in which it began, and the next one begins half a minute later.
  await setTimeout(2);
  await ageKeyLeases(world, leaseMs);
  const second = await recalled();
  if (!second || "done" in second) throw new Error("The saga is not running.");
  await release(first);
  await expect(recalled()).rejects.toMatchObject(inUse);
  await release(second.lease);
  expect(await recalled()).toEqual(taken);
});

it("a key has one answer even if a former owner finishes later", async () => {
  await ageKeyLeases(world, leaseMs);
  await recalled();
  await finish("the second owner's");
  await finish("the first owner's");
  expect(await recalled()).toEqual({ done: { output: "the second owner's" } });
});
