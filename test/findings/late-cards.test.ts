// What a hostile reading found in cards when a provider answers late. The test states what is right, and fails.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { sandboxOperations } from "@/db/tables";
import { lookUpAfterEvent } from "@/server/domains/transactions/look-up";
import { minuteMs } from "@/server/kit/limits";
import { runJobs } from "@/test/jobs";
import { ask, card, payWith, transactionsOf } from "@/test/payer";
import { monthly, readOne, subscriptionOf } from "@/test/subscriber";
import { openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  acme = await world.organization();
});
afterAll(() => world.close());

it("the card of an earlier attempt that is confirmed after another one has paid is forgotten", async () => {
  const { actor } = acme.member;
  const { payment, token } = await ask(world, actor, { type: "subscription", subscription: monthly });
  await payWith(world, token, card("4000002760003184"));
  // Nobody confirms in time, so the charge is canceled.
  world.clock.advance(16 * minuteMs);
  await runJobs(world);
  await payWith(world, token);
  const { id } = (await subscriptionOf(world, payment.payment_id)) ?? { id: "" };
  expect(await readOne(world, actor, id)).toMatchObject({ status: "active", payment_method: { last4: "4242" } });
  // The provider has taken it all the same, and stored its card.
  const [late] = await transactionsOf(world, payment.payment_id);
  const isLate = eq(sandboxOperations.idempotencyKey, late?.id ?? "");
  const atProvider = async () => (await world.runtime.db.read.select().from(sandboxOperations).where(isLate))[0];
  const outcome = { ...((await atProvider())?.outcome as object), failure: null, stored: { decline: null } };
  await world.runtime.db.write(async (tx) => {
    await tx.update(sandboxOperations).set({ status: "succeeded", amountCaptured: 1250, outcome }).where(isLate);
  });
  await lookUpAfterEvent(world.runtime, late?.id ?? "");
  const attempts = await transactionsOf(world, payment.payment_id);
  expect(attempts.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
  await runJobs(world);
  expect((await atProvider())?.outcome).not.toHaveProperty("stored");
  expect(await readOne(world, actor, id)).toMatchObject({ payment_method: { last4: "4242" } });
});
