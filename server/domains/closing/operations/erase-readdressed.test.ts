// Mails about a payment request that has been addressed to somebody else since: erasing the former customer.
import { afterAll, beforeAll, expect, it } from "vitest";
import { mails } from "@/db/tables";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { createPayment } from "@/server/domains/payments/operations/create";
import { sendPayment } from "@/server/domains/payments/operations/send";
import { updatePaymentRequest } from "@/server/domains/payments/operations/update";
import { runJobs } from "@/test/jobs";
import { openWorld, type World } from "@/test/world";
import { eraseCustomer } from "./erase-customer";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it.each([
  ["another customer", { name: "Ada", email: "ada@example.com" }],
  ["nobody", null],
] as const)("a mail that went to an assistant is erased although the request went to %s", async (_, customer) => {
  const { admin, member } = await world.organization();
  const gone = { name: "Gonename", email: "gone@quux.example" };
  const { customer_id } = await world.call(createCustomer, member.actor, gone);
  const asked = { type: "product", amount: 500, currency: "EUR", customer: { customer_id } } as const;
  const { payment_id } = await world.call(createPayment, member.actor, asked);
  await world.call(sendPayment, admin.actor, { payment_id });
  await world.call(sendPayment, admin.actor, { payment_id, to: "assistant@elsewhere.at" });
  await world.call(updatePaymentRequest, member.actor, { payment_id, customer });
  const mailsLeft = async () => JSON.stringify(await world.runtime.db.read.select().from(mails));
  // The customer's own mail stays readable until the customer is erased.
  expect(await mailsLeft()).toContain("gone@quux.example");
  world.clock.advance(5);
  await world.call(eraseCustomer, member.actor, { customer_id });
  await runJobs(world);
  for (const erased of ["Gonename", "gone@quux.example", "assistant@elsewhere.at"]) {
    expect(await mailsLeft()).not.toContain(erased);
  }
});
