// What people see of credit: what can be applied at once, and what the receipt says was paid.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { mails, organizations } from "@/db/tables";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { paymentActions } from "@/server/domains/payments/operations/actions";
import { markPaid } from "@/server/domains/payments/operations/mark-paid";
import { limits } from "@/server/kit/limits";
import { applyTo, askCustomer, makeCredit, newCustomer } from "@/test/credit";
import { expectSoundLedger } from "@/test/money";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";

let world: World;
let organization: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  organization = await world.organization();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const actor = () => organization.member.actor;

it("the credit that is offered can be applied, however many payments it was made of", async () => {
  const customer = await newCustomer(world, actor());
  for (let i = 0; i <= limits.creditSources; i++) await makeCredit(world, actor(), customer, 1);
  const payment_id = await askCustomer(world, actor(), customer, 500);
  const offered = async () => (await world.call(paymentActions, actor(), { payment_id })).applicable_credit;
  expect(await offered()).toBe(limits.creditSources);
  await applyTo(world, actor(), payment_id, await offered());
  expect(await offered()).toBe(1);
  await applyTo(world, actor(), payment_id, await offered());
  expect(await offered()).toBe(0);
});

describe("a receipt", () => {
  /** The texts of the receipts for €30.00, of which `credit` cents were paid out of credit. */
  async function receipts(credit: number): Promise<string[]> {
    const fields = { name: "Grace Hopper", email: "grace@example.com" };
    const { customer_id } = await world.call(createCustomer, actor(), fields);
    await makeCredit(world, actor(), customer_id, credit);
    const payment_id = await askCustomer(world, actor(), customer_id, 3_000);
    await applyTo(world, actor(), payment_id);
    world.clock.advance(1);
    if (credit < 3_000) await world.call(markPaid, actor(), { payment_id, method: "cash", reason: "The rest" });
    const isOwn = eq(mails.paymentId, payment_id);
    const sent = await world.runtime.db.read.select().from(mails).where(isOwn).orderBy(mails.createdAt);
    return sent.map(({ text }) => text ?? "");
  }

  it("does not say that money was received when credit paid all", async () => {
    const [text, ...others] = await receipts(3_000);
    expect(others).toEqual([]);
    expect(text).toContain("€30.00 of your credit with");
    expect(text).not.toContain("has received");
  });

  it("there is one of the credit, and one of the money", async () => {
    const [credit, money] = await receipts(1_000);
    expect(credit).toContain("€10.00 of your credit with");
    expect(credit).toContain("€20.00");
    expect(credit).not.toContain("in full");
    expect(money).toContain("has received your payment of €20.00");
    expect(money).not.toContain("credit");
  });
});

it("a payment request of the sandbox takes no credit and no money once the organization is live", async () => {
  const customer = await newCustomer(world, actor());
  await makeCredit(world, actor(), customer, 50);
  const id = await askCustomer(world, actor(), customer, 50);
  const admin = organization.admin.actor;
  const setMode = (mode: "live" | "sandbox") =>
    world.runtime.db.write((tx) => tx.update(organizations).set({ mode }).where(eq(organizations.id, organization.id)));
  await setMode("live");
  expect(await refusalOf(applyTo(world, admin, id))).toBe("payment_not_payable");
  const cash = { payment_id: id, method: "cash", reason: "At the counter" } as const;
  expect(await refusalOf(world.call(markPaid, admin, cash))).toBe("payment_not_payable");
  await setMode("sandbox");
  await applyTo(world, actor(), id);
});
