// Bounds of subscriptions: how much metadata they hold, and canceling at the end of a period that is over already.
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  cancelSubscription,
  pauseSubscription,
  updateSubscriptionFields,
} from "@/server/domains/subscriptions/operations/change";
import { limits } from "@/server/kit/limits";
import { expectSoundLedger } from "@/test/money";
import { card } from "@/test/payer";
import { moveClock } from "@/test/sandbox-clock";
import { readOne, subscribe } from "@/test/subscriber";
import { openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  acme = await world.organization();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const actor = () => acme.member.actor;
const keys = (from: number, to: number) =>
  Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`key-${from + i}`, "x"]));

it("metadata has at most fifty keys, also over several changes", async () => {
  const { id: subscription_id } = await subscribe(world, actor());
  const change = (metadata: Record<string, string | null>) =>
    world.call(updateSubscriptionFields, actor(), { subscription_id, metadata });
  const most = limits.metadata.keys;
  await change(keys(0, most - 1));
  await change(keys(most - 1, most));
  await expect(change(keys(most, most + 1))).rejects.toMatchObject({
    code: "invalid_request",
    message: `metadata: at most ${most} keys`,
  });
  const { metadata } = await change({ "key-0": null, ...keys(most, most + 1) });
  expect(Object.keys(metadata)).toHaveLength(most);
});

it.each(["paused", "past_due"])(
  "a subscription that is %s ends at once if its period is over already",
  async (status) => {
    const daily = { interval: "day", interval_count: 1 } as const;
    const isPaused = status === "paused";
    const { id } = await subscribe(
      world,
      actor(),
      { subscription: daily },
      isPaused ? undefined : card("4000000000000341"),
    );
    const subscription_id = id;
    if (isPaused) await world.call(pauseSubscription, actor(), { subscription_id });
    await moveClock(world, acme.admin.actor, "P3D");
    const before = await readOne(world, actor(), id);
    expect(before.status).toBe(status);
    const after = await world.call(cancelSubscription, actor(), { subscription_id, at: "period_end" });
    expect(after).toMatchObject({ status: "canceled", cancel_at_period_end: false, next_charge_at: null });
  },
);
