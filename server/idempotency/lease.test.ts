// The lease of a saga's key: held while its process may be at work, and free after it, or if a clock that was ahead dated it.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { anotherProcess, callRequest, openWorld, type World } from "@/server/testing/world";
import { type IdempotencyKey, keepIntent, recall } from "./keys";

let world: World;
let key: IdempotencyKey;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(() => {
  key = { id: world.id("req"), fingerprints: ["the same request"] };
});
afterAll(() => world.close());

const intent = { step: "one" };
const recalled = () => world.runtime.db.write((tx) => recall(tx, world.runtime, key, callRequest(world.runtime)));

it("lasts half a minute", async () => {
  await world.runtime.db.write((tx) => keepIntent(tx, world.runtime, key, intent));
  world.clock.advance(29_999);
  await expect(recalled()).rejects.toMatchObject({ code: "idempotency_key_in_use" });
  world.clock.advance(1);
  expect(await recalled()).toEqual({ intent });
  await expect(recalled()).rejects.toMatchObject({ code: "idempotency_key_in_use" });
});

it("is over at once if a process whose clock was an hour ahead took it", async () => {
  const ahead = await anotherProcess(world, { clock: { now: () => world.clock.now() + 3_600_000 } });
  await ahead.runtime.db.write((tx) => keepIntent(tx, ahead.runtime, key, intent));
  await ahead.close();
  expect(await recalled()).toEqual({ intent });
});
