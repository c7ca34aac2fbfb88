// Bounds of subscriptions: how much metadata they hold, canceling at the end of a period that is over already, and when a
// renewal keeps line items and stored card of the first payment.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { storedMethods } from "@/db/tables";
import { cancelSubscription, pauseSubscription } from "@/server/domains/subscriptions/operations/change";
import { updateSubscriptionFields } from "@/server/domains/subscriptions/operations/update";
import { limits } from "@/server/kit/limits";
import { expectSoundLedger } from "@/test/money";
import { card, paymentRow, transactionsOf } from "@/test/payer";
import { moveClock } from "@/test/sandbox-clock";
import { cyclesOf, readOne, subscribe, subscriptionOf } from "@/test/subscriber";
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

const thirtyDays = { interval: "day", interval_count: 30 } as const;

it("a renewal has the line items until another amount takes their place", async () => {
  const line_items = [{ name: "Bread box", quantity: 1, unit_amount: 1250 }];
  const { id } = await subscribe(world, actor(), { amount: 1250, line_items, subscription: thirtyDays });
  for (const amount of [900, 1250]) {
    await world.call(updateSubscriptionFields, actor(), { subscription_id: id, amount });
    await moveClock(world, acme.admin.actor, "P30D");
  }
  const made = await Promise.all((await cyclesOf(world, id)).map(({ paymentId }) => paymentRow(world, paymentId)));
  expect(made.map(({ amount, lineItems }) => [amount, lineItems.length])).toEqual([
    [1250, 1],
    [900, 0],
    [1250, 0],
  ]);
});

it("a stored card is charged only with the provider that stored it", async () => {
  const { id, payment } = await subscribe(world, actor(), { subscription: thirtyDays });
  const { methodId } = (await subscriptionOf(world, payment.payment_id)) ?? {};
  await world.runtime.db.write(async (tx) => {
    await tx
      .update(storedMethods)
      .set({ provider: "another" })
      .where(eq(storedMethods.id, methodId ?? ""));
  });
  await moveClock(world, acme.admin.actor, "P30D");
  const { status, latest_payment_id } = await readOne(world, actor(), id);
  expect(latest_payment_id).not.toBe(payment.payment_id);
  expect([status, await transactionsOf(world, latest_payment_id)]).toEqual(["past_due", []]);
});
