// Mails about a payment request that has been addressed to somebody else since: erasing the former customer.
import { eq } from "drizzle-orm";
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

const gone = { name: "Gonename", email: "gone@quux.example" };
const mailsOf = (payment_id: string) =>
  world.runtime.db.read.select().from(mails).where(eq(mails.paymentId, payment_id)).orderBy(mails.toKey);

/** A payment request to a customer, whose mail also went to an assistant. */
async function sentTo(customer: { name: string; email?: string }) {
  const { admin, member } = await world.organization();
  const { customer_id } = await world.call(createCustomer, member.actor, customer);
  const asked = { type: "product", amount: 500, currency: "EUR", customer: { customer_id } } as const;
  const { payment_id } = await world.call(createPayment, member.actor, asked);
  if (customer.email) await world.call(sendPayment, admin.actor, { payment_id });
  await world.call(sendPayment, admin.actor, { payment_id, to: "assistant@elsewhere.at" });
  return { actor: member.actor, customer_id, payment_id };
}

it.each([
  ["another customer", gone, { name: "Ada", email: "ada@example.com" }],
  ["nobody", gone, null],
  ["another one from a customer without an address", { name: "Gonename" }, { name: "Ada", email: "ada@example.com" }],
] as const)(
  "a mail that went to an assistant is erased although the request went to %s",
  async (_, former, customer) => {
    const { actor, customer_id, payment_id } = await sentTo(former);
    // One has lost its body by its retention.
    await world.runtime.db.write(async (tx) => void (await tx.update(mails).set({ text: null, html: null })));
    await world.call(updatePaymentRequest, actor, { payment_id, customer });
    // The customer's own mail keeps its address until the customer is erased.
    const own = "email" in former ? [former.email] : [];
    expect((await mailsOf(payment_id)).map(({ toKey }) => toKey)).toEqual([...own, `readdressed+${payment_id}`]);
    world.clock.advance(5);
    await world.call(eraseCustomer, actor, { customer_id });
    await runJobs(world);
    const left = JSON.stringify(await mailsOf(payment_id));
    for (const erased of ["Gonename", "gone@quux.example", "assistant@elsewhere.at"])
      expect(left).not.toContain(erased);
  },
);

it("a queued mail to an assistant says why it is not sent", async () => {
  const { actor, payment_id } = await sentTo(gone);
  await world.runtime.db.write(async (tx) => void (await tx.update(mails).set({ status: "queued" })));
  await world.call(updatePaymentRequest, actor, { payment_id, customer: null });
  const [own, other] = await mailsOf(payment_id);
  expect([own?.status, own?.toKey]).toEqual(["queued", "gone@quux.example"]);
  expect(other).toMatchObject({ status: "held", lastError: "readdressed", text: null, html: null });
});

it("a mail to an address that another customer has too is erased with the change", async () => {
  const { actor, payment_id } = await sentTo(gone);
  const twin = await world.call(createCustomer, actor, { ...gone, name: "Twin" });
  await world.call(updatePaymentRequest, actor, { payment_id, customer: { customer_id: twin.customer_id } });
  const nobody = `readdressed+${payment_id}`;
  expect((await mailsOf(payment_id)).map(({ toKey, text }) => [toKey, text])).toEqual([
    [nobody, null],
    [nobody, null],
  ]);
});

it("a mail stays while its payment request keeps its customer", async () => {
  const { actor, customer_id, payment_id } = await sentTo(gone);
  const before = await mailsOf(payment_id);
  const customer = { customer_id, name: "Gonename-Smith" };
  await world.call(updatePaymentRequest, actor, { payment_id, customer, description: "Bread" });
  expect(await mailsOf(payment_id)).toEqual(before);
});
