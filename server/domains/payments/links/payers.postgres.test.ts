// A stranger's charge that holds while another call changes the customer with the payer's address: it waits, in order.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { lock } from "@/db/lock";
import { customers } from "@/db/tables";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { eraseCustomerOf, mergeCustomersOf } from "@/test/closing";
import { deadlocksIn } from "@/test/deadlocks";
import { askMany, payUse } from "@/test/link-payer";
import { expectSoundLedger } from "@/test/money";
import { anyone, card, paymentRow, tokenOf } from "@/test/payer";
import { anotherProcess, openWorld } from "@/test/world";
import { answerChallenge } from "../operations/challenge";

it("is settled once a call that holds the customer for long has ended, and never answered with 503", async () => {
  const world = await openWorld();
  const { member } = await world.organization();
  const { token } = await askMany(world, member.actor, { usage_limit: null });
  const email = "grace@example.com";
  const { action_url, payment_id } = await payUse(world, token, { ...card("4000002760003184"), email });
  const { customer_id } = await world.call(createCustomer, member.actor, { name: "Grace", email });
  const other = await anotherProcess(world);
  const { confirmed } = await other.runtime.db.write(async (tx) => {
    await lock(tx, customers, [customer_id]);
    const confirming = world.call(answerChallenge, anyone, { reference: tokenOf(action_url), answer: "complete" });
    // Settled here, so that a refusal is not unhandled while the customer is held.
    const confirmed = Promise.allSettled([confirming]);
    // Longer than a conflict is tried again.
    await sleep(2_000);
    return { confirmed };
  });
  expect(await confirmed).toMatchObject([{ status: "fulfilled" }]);
  expect(await paymentRow(world, payment_id)).toMatchObject({ status: "paid", customerId: customer_id });
  await expectSoundLedger(world);
  expect(await deadlocksIn(world)).toBe(0);
  await other.close();
  await world.close();
});

it.each(["merged", "erased"])("ends beside the customer's being %s, without a deadlock", async (how) => {
  const world = await openWorld();
  const { member, admin } = await world.organization();
  const { token } = await askMany(world, member.actor, { usage_limit: null });
  const other = await anotherProcess(world);
  for (let round = 0; round < 4; round++) {
    const email = `grace${round}@example.com`;
    const { action_url, payment_id } = await payUse(world, token, { ...card("4000002760003184"), email });
    const make = async (name: string, address: string | null) =>
      (await world.call(createCustomer, member.actor, { name, email: address })).customer_id;
    const [customer_id, into_customer_id] = [await make("Grace", email), await make("Into", null)];
    const changing =
      how === "merged"
        ? mergeCustomersOf(other, admin.actor, customer_id, into_customer_id)
        : eraseCustomerOf(other, admin.actor, customer_id);
    await Promise.all([
      changing,
      world.call(answerChallenge, anyone, { reference: tokenOf(action_url), answer: "complete" }),
    ]);
    const { status, customerId } = await paymentRow(world, payment_id);
    expect(status).toMatch(how === "merged" ? /^paid$/ : /^(paid|canceled)$/);
    if (how === "merged") expect(customerId).toBe(into_customer_id);
  }
  await expectSoundLedger(world);
  expect(await deadlocksIn(world)).toBe(0);
  await other.close();
  await world.close();
});
