// An address that turns out to hold more than its share of a link's places when the answer of its charge was lost.
import { afterAll, beforeAll, expect, it } from "vitest";
import { runJobs } from "@/test/jobs";
import { askMany, payUse } from "@/test/link-payer";
import { expectSoundLedger } from "@/test/money";
import { card, paymentRow, transactionsOf } from "@/test/payer";
import { planFault } from "@/test/provider-faults";
import { openWorld, type World } from "@/test/world";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const challenged = card("4000002760003184");

it.each([
  ["waits for its confirmation", "automatic", challenged],
  ["holds an authorization of the same card", "manual", card("4242424242424242")],
] as const)("a look-up gives a charge up that %s beyond the share", async (_, capture_method, typed) => {
  const { member } = await world.organization();
  const { payment, token } = await askMany(world, member.actor, { usage_limit: 2, capture_method });
  void planFault("start", "reset", "after");
  const late = await payUse(world, token, { ...typed, email: "late@example.com" });
  const kept = await payUse(world, token, { ...typed, email: "kept@example.com" });
  expect((await paymentRow(world, late.payment_id)).status).toBe("processing");
  world.clock.advance(31_000);
  await runJobs(world);
  expect((await paymentRow(world, late.payment_id)).status).toBe("canceled");
  expect((await transactionsOf(world, late.payment_id))[0]?.status).toMatch(/failed|canceled/);
  expect(await paymentRow(world, kept.payment_id)).toMatchObject({ place: "held", canceledAt: null });
  expect(await paymentRow(world, payment.payment_id)).toMatchObject({ usesCount: 0, usesReserved: 1 });
});
