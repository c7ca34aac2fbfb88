// What a customer was asked for and has paid, as the customer's page shows it; and how the dashboard finds customers.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { createPayment } from "@/server/domains/payments/operations/create";
import { findEverything } from "@/server/domains/search/operations/find";
import { auditTargets } from "@/server/domains/timeline/operations/audit-targets";
import { timeline } from "@/server/domains/timeline/operations/timeline";
import { mergeCustomersOf } from "@/test/closing";
import { create } from "@/test/money";
import { payWith, tokenOf } from "@/test/payer";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { customerActivity } from "./customer-activity";

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  world.clock.advance(1000);
  org = await world.organization();
});
afterAll(() => world.close());

const make = async (name: string, actor = org.member.actor) =>
  (await world.call(createCustomer, actor, { name, reference: `R ${name}` })).customer_id;
const ask = (customer_id: string, amount: number, currency = "EUR", more: object = {}) =>
  world.call(createPayment, org.member.actor, {
    type: "product",
    amount,
    currency,
    customer: { customer_id },
    ...more,
  });
const activity = (customer_id: string, actor = org.member.actor) =>
  world.call(customerActivity, actor, { customer_id });

it("adds up payment requests by currency, and shows transactions and mails", async () => {
  const [grace, other] = [await make("Grace"), await make("Ada")];
  const paid = await ask(grace, 500, "EUR", { customer: { customer_id: grace, email: "g@example.com" }, send: true });
  await payWith(world, tokenOf(paid.payment_url));
  await ask(grace, 700);
  await ask(grace, 90, "JPY");
  await ask(other, 1);
  const seen = await activity(grace);
  expect(seen).toMatchObject({
    sums: [
      { currency: "EUR", count: 2, requested: 1200, paid: 500, refunded: 0, charged_back: 0 },
      { currency: "JPY", count: 1, requested: 90, paid: 0, refunded: 0 },
    ],
    is_complete: true,
    transactions: [{ type: "payment", amount: 500, status: "succeeded" }],
  });
  expect(seen.mails.map(({ kind }) => kind).sort()).toEqual(["payment_receipt", "payment_request"]);
  await mergeCustomersOf(world, org.member.actor, other, grace);
  expect((await activity(other)).sums).toMatchObject([{ count: 3, requested: 1201 }, {}]);
  expect(await activity(await make("Nobody"))).toMatchObject({
    sums: [],
    credits: [],
    is_complete: true,
    transactions: [],
    mails: [],
  });
});

it("adds up what was paid without a payment request, too", async () => {
  const grace = await make("Grace");
  await ask(grace, 700);
  const record = (amount: number, currency: string) =>
    create(world, org.member.actor, { type: "payment", amount, currency, customer: { customer_id: grace } });
  const paid = await record(300, "EUR");
  world.clock.advance(1000);
  const { transaction_id: parent_transaction_id } = paid;
  const back = await create(world, org.member.actor, { type: "refund", parent_transaction_id, amount: 100 });
  await record(50, "JPY");
  world.clock.advance(1000);
  const account_id = org.member.accountId;
  const goodwill = {
    type: "credit",
    account_id,
    amount: 9,
    currency: "USD",
    customer: { customer_id: grace },
  } as const;
  const credit = await create(world, org.admin.actor, goodwill);
  const seen = await activity(grace);
  expect(seen.sums).toEqual([
    { currency: "EUR", count: 1, requested: 700, paid: 300, refunded: 100, charged_back: 0 },
    { currency: "JPY", count: 0, requested: 0, paid: 50, refunded: 0, charged_back: 0 },
  ]);
  expect(seen.is_complete).toBe(true);
  expect(seen.transactions).toHaveLength(4);
  expect(seen.transactions[0]).toEqual(credit);
  expect(seen.transactions.map(({ transaction_id: id }) => id)).toContain(back.transaction_id);
  expect(seen.transactions.at(-1)).toMatchObject({ transaction_id: parent_transaction_id, customer_id: grace });
});

it("is for those who see the customer, and so are its timeline and the search", async () => {
  const id = await make("Marguerite");
  expect(await refusalOf(activity(id, org.other.actor))).toBe("customer_not_found");
  const events = (actor = org.member.actor) => world.call(timeline, actor, { object_id: id });
  expect((await events()).data).toMatchObject([{ type: "customer.created" }]);
  expect(await refusalOf(events(org.other.actor))).toBe("object_not_found");
  const find = async (q: string, actor = org.member.actor) =>
    (await world.call(findEverything, actor, { q })).customers.map(({ customer_id }) => customer_id);
  for (const q of ["margue", "R Marguerite", id]) expect(await find(q)).toEqual([id]);
  expect(await find("margue", org.admin.actor)).toEqual([id]);
  expect(await find("margue", org.other.actor)).toEqual([]);
  const names = await world.call(auditTargets, org.admin.actor, { target_ids: [id] });
  expect(names.data).toEqual([{ target_id: id, name: "Marguerite" }]);
});
