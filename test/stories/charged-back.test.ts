// What a customer's page says about payments that the customer's bank returned.
import { afterAll, beforeAll, expect, it } from "vitest";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { customerActivity } from "@/server/domains/overview/operations/customer-activity";
import { createPayment } from "@/server/domains/payments/operations/create";
import { simulateEvent } from "@/server/domains/sandbox/operations/simulate";
import { payWith, tokenOf } from "@/test/payer";
import { openWorld, type World } from "@/test/world";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it("counts as charged back what lost disputes returned, also while another dispute is open", async () => {
  const { admin, member } = await world.organization();
  const { customer_id } = await world.call(createCustomer, member.actor, { name: "Grace" });
  const charges = [["dispute", "dispute_lost"], ["dispute"], ["dispute", "dispute_won"], []] as const;
  for (const events of charges) {
    const { payment_id, payment_url } = await world.call(createPayment, member.actor, {
      ...({ type: "product", amount: 500, currency: "EUR", customer: { customer_id } } as const),
    });
    await payWith(world, tokenOf(payment_url));
    for (const event of events) await world.call(simulateEvent, admin.actor, { payment_id, event });
  }
  const [sum] = (await world.call(customerActivity, member.actor, { customer_id })).sums;
  expect(sum).toMatchObject({ count: 4, paid: 2000, refunded: 0, charged_back: 500 });
});
