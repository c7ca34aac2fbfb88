// The lease of a saga's key: held while its process may be at work and free after it, whatever the processes' clocks say.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { ageKeyLeases } from "@/server/testing/key-leases";
import { anotherProcess, callRequest, openWorld, type World } from "@/server/testing/world";
import { type IdempotencyKey, keepIntent, leaseMs, recall } from "./keys";

let world: World;
let key: IdempotencyKey;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  key = { id: world.id("req"), fingerprints: ["the same request"] };
  await world.runtime.db.write((tx) => keepIntent(tx, world.runtime, key, intent));
});
afterAll(() => world.close());

const intent = { step: "one" };
const recalled = ({ runtime }: Pick<World, "runtime"> = world) =>
  runtime.db.write((tx) => recall(tx, runtime, key, callRequest(runtime)));
const inUse = { code: "idempotency_key_in_use" };

it("lasts half a minute, and begins again for who takes it over", async () => {
  await ageKeyLeases(world, leaseMs / 2);
  await expect(recalled()).rejects.toMatchObject(inUse);
  await ageKeyLeases(world, leaseMs / 2);
  expect(await recalled()).toEqual({ intent });
  await expect(recalled()).rejects.toMatchObject(inUse);
});

it.each([-3_600_000, -31_000, 31_000, 3_600_000])(
  "is the same for a process whose clock differs by %i ms",
  async (difference) => {
    const other = await anotherProcess(world, { clock: { now: () => world.clock.now() + difference } });
    await expect(recalled(other)).rejects.toMatchObject(inUse);
    await ageKeyLeases(world, leaseMs);
    expect(await recalled(other)).toEqual({ intent });
    await expect(recalled()).rejects.toMatchObject(inUse);
    await other.close();
  },
);

it("is over at once if it began while the database's clock was an hour ahead", async () => {
  await ageKeyLeases(world, -3_600_000);
  expect(await recalled()).toEqual({ intent });
});
