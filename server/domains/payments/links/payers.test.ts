// The customers of a reusable link: a stranger becomes one once a card was charged or authorized, and a declined card writes none.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { customers, events, mails, storedMethods, subscriptions } from "@/db/tables";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { eraseCustomerOf } from "@/test/closing";
import { runJobs } from "@/test/jobs";
import { anyFailures, askMany, payUse } from "@/test/link-payer";
import { expectSoundLedger } from "@/test/money";
import { anyone, card, openPage, paymentRow, payWith, tokenOf } from "@/test/payer";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { answerChallenge } from "../operations/challenge";
import { getPayment } from "../operations/get";
import { markPaid } from "../operations/mark-paid";

let world: World;
let org: TestOrganization;
let link: { id: string; token: string };
beforeAll(async () => {
  world = await openWorld(anyFailures);
});
beforeEach(async () => {
  world.clock.advance(1000);
  org = await world.organization();
  link = await anotherLink();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

async function anotherLink(fields: object = {}) {
  const { payment, token } = await askMany(world, org.member.actor, { usage_limit: null, ...fields });
  return { id: payment.payment_id, token };
}

const declined = card("4000000000000002");
const challenged = card("4000002760003184");
const read = (payment_id: string) => world.call(getPayment, org.member.actor, { payment_id });
const customersOf = () => world.runtime.db.read.select().from(customers).where(eq(customers.organizationId, org.id));
const confirm = (url: string | null) =>
  world.call(answerChallenge, anyone, { reference: url?.split("/").at(-1) ?? "", answer: "complete" });
const email = (i: number) => `stranger${i}@example.com`;

describe("a stranger who tries cards on a link", () => {
  it("leaves no customer, no event of one and no mail", async () => {
    const uses = [];
    for (let i = 0; i < 5; i++) uses.push(await payUse(world, link.token, { ...declined, email: email(i) }));
    const again = await payWith(world, tokenOf(uses[0]?.payment_url ?? null), declined);
    expect(again.payment_id).toBe(uses[0]?.payment_id);
    await runJobs(world);
    expect(await customersOf()).toEqual([]);
    const { read: q } = world.runtime.db;
    const told = await q.select().from(events).where(eq(events.organizationId, org.id));
    expect(told.filter(({ type }) => type.startsWith("customer."))).toEqual([]);
    expect(await q.select().from(mails).where(eq(mails.organizationId, org.id))).toEqual([]);
    expect(await read(uses[0]?.payment_id ?? "")).toMatchObject({
      customer: { customer_id: null, name: "Grace Hopper", email: email(0) },
    });
  });

  it("does not become one by a confirmation that was never given", async () => {
    await payUse(world, link.token, challenged);
    world.clock.advance(20 * 60_000);
    await runJobs(world);
    expect(await customersOf()).toEqual([]);
  });
});

describe("a payer whose card was charged or authorized becomes a customer", () => {
  const expectCustomer = async (id: string) => {
    const [customer, ...others] = await customersOf();
    expect(others).toEqual([]);
    expect(customer).toMatchObject({
      name: "Grace Hopper",
      email: "grace@example.com",
      accountId: org.member.accountId,
    });
    expect(await read(id)).toMatchObject({ customer: { customer_id: customer?.id } });
    return customer?.id;
  };

  it("at once, and by another card after a decline", async () => {
    const { payment_id, payment_url } = await payUse(world, link.token, declined);
    await payWith(world, tokenOf(payment_url));
    const id = await expectCustomer(payment_id);
    const again = await payUse(world, link.token, { email: "GRACE@example.com" });
    expect((await paymentRow(world, again.payment_id)).customerId).toBe(id);
  });

  it("by an authorization", async () => {
    const held = await anotherLink({ capture_method: "manual" });
    await expectCustomer((await payUse(world, held.token)).payment_id);
  });

  it("by a confirmation", async () => {
    const { payment_id, action_url } = await payUse(world, link.token, challenged);
    expect(await customersOf()).toEqual([]);
    await confirm(action_url);
    await expectCustomer(payment_id);
  });

  it("by money that the merchant records", async () => {
    const { payment_id } = await payUse(world, link.token, declined);
    await world.call(markPaid, org.member.actor, { payment_id });
    await expectCustomer(payment_id);
  });

  it("with a subscription and its card", async () => {
    const monthly = await anotherLink({ type: "subscription", subscription: { interval: "month" } });
    const { payment_id, action_url } = await payUse(world, monthly.token, challenged);
    await confirm(action_url);
    const customerId = await expectCustomer(payment_id);
    const { read: q } = world.runtime.db;
    const [subscription] = await q.select().from(subscriptions).where(eq(subscriptions.firstPaymentId, payment_id));
    expect(subscription?.customerId).toBe(customerId);
    const methods = await q.select().from(storedMethods).where(eq(storedMethods.paymentId, payment_id));
    expect(methods.map((one) => one.customerId)).toEqual([customerId]);
  });

  it("once, however many uses hold at the same time", async () => {
    const urls: (string | null)[] = [];
    for (let i = 0; i < 4; i++) {
      const { token } = i < 2 ? link : await anotherLink();
      urls.push((await payUse(world, token, challenged, { ip: `192.0.2.${i}` })).action_url);
    }
    await Promise.all(urls.map(confirm));
    expect(await customersOf()).toHaveLength(1);
  });
});

describe("a payer who is erased while a confirmation is open", () => {
  /** A customer made elsewhere with the address of a payer whose confirmation is open. */
  const pending = async () => {
    const use = await payUse(world, link.token, challenged);
    const made = { name: "Grace", email: "grace@example.com" };
    const { customer_id } = await world.call(createCustomer, org.member.actor, made);
    return { ...use, customer_id };
  };

  it("stays erased, and is not made anew", async () => {
    const { payment_id, payment_url, action_url, customer_id } = await pending();
    await eraseCustomerOf(world, org.member.actor, customer_id);
    await confirm(action_url);
    await runJobs(world);
    expect(await paymentRow(world, payment_id)).toMatchObject({ customerId: customer_id, customer: { email: null } });
    expect(await customersOf()).toHaveLength(1);
    expect((await openPage(world, tokenOf(payment_url))).state).not.toBe("open");
  });

  it("and who confirms at the same time is either the customer's or erased", async () => {
    for (let i = 0; i < 5; i++) {
      const { payment_id, action_url, customer_id } = await pending();
      await Promise.all([eraseCustomerOf(world, org.member.actor, customer_id), confirm(action_url)]);
      await runJobs(world);
      expect(await paymentRow(world, payment_id)).toMatchObject({ customerId: customer_id, customer: { email: null } });
    }
  });
});
