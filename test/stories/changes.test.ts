// Lists in the order of changes: a program that keeps its cursor learns of each change. And lists by metadata.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { databaseTime } from "@/db/now";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { listCustomers } from "@/server/domains/customers/operations/list";
import { cancelPayment } from "@/server/domains/payments/operations/cancel";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { listSubscriptions } from "@/server/domains/subscriptions/operations/read";
import { listTransactions } from "@/server/domains/transactions/operations/list";
import { settledUntil } from "@/server/kit/change-pages";
import { Failure } from "@/server/kit/errors";
import { limits } from "@/server/kit/limits";
import { eraseCustomerOf, mergeCustomersOf } from "@/test/closing";
import { pass } from "@/test/jobs";
import { ask, payWith } from "@/test/payer";
import { commandsOf, subscribe } from "@/test/subscriber";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";

let world: World;
let acme: TestOrganization;
/** Real time before the test, as the database sees it. */
let from: string;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  acme = await world.organization();
  from = new Date(await databaseTime(world.runtime.db.read)).toISOString();
});
afterAll(() => world.close());

const actor = () => acme.admin.actor;

/** Waits until what has just been written is old enough to be listed. */
async function settled(): Promise<void> {
  const now = await databaseTime(world.runtime.db.read);
  while ((await settledUntil(world.runtime)) <= now) await new Promise((resume) => setTimeout(resume, 5));
}

type Query = Omit<Parameters<typeof changed>[0], "updated_from">;

/** A page of payment requests by change. */
const changed = (input: { updated_from?: string; cursor?: string; limit?: number; status?: ["canceled"] }) =>
  world.call(listPaymentRequests, actor(), { updated_from: from, ...input });

/** All pages from a cursor on, and the cursor to go on with. */
async function allFrom(query: Query = {}) {
  const ids: string[] = [];
  let page = await changed(query);
  for (;;) {
    ids.push(...page.data.map(({ payment_id }) => payment_id));
    if (page.next_cursor === null) throw new Error("There is no cursor to go on with.");
    if (!page.has_more) return { ids, cursor: page.next_cursor };
    page = await changed({ ...query, cursor: page.next_cursor });
  }
}

const newRequest = async () => (await ask(world, acme.member.actor)).payment.payment_id;
const cancel = (payment_id: string) => world.call(cancelPayment, actor(), { payment_id });

describe("payment requests by change", () => {
  it("come in the order of their last change, whatever the organization's clock says", async () => {
    const [first, second, third] = [await newRequest(), await newRequest(), await newRequest()];
    await pass(world, 1);
    await cancel(first);
    await settled();
    expect((await allFrom({ limit: 2 })).ids).toEqual([second, third, first]);
  });

  it("give a cursor also if nothing has changed, and each change once from there on", async () => {
    await settled();
    const before = await allFrom();
    expect(before.ids).toEqual([]);
    const id = await newRequest();
    await settled();
    const after = await allFrom({ cursor: before.cursor });
    expect(after.ids).toEqual([id]);
    expect((await allFrom({ cursor: after.cursor })).ids).toEqual([]);
    await cancel(id);
    await settled();
    expect((await allFrom({ cursor: after.cursor })).ids).toEqual([id]);
  });

  it("are filtered, and a page that finds nothing goes on", async () => {
    const ids: string[] = [];
    for (let i = 0; i < limits.changes.window + 5; i++) ids.push(await newRequest());
    const last = ids.at(-1) ?? "";
    await cancel(last);
    await settled();
    expect((await allFrom({ status: ["canceled"] })).ids).toEqual([last]);
    expect((await allFrom({ limit: 7 })).ids).toEqual(ids);
  });

  it("are those that the caller sees, and a cursor belongs to its filters", async () => {
    const id = await newRequest();
    const other = await world.user(acme.id);
    await settled();
    const page = await world.call(listPaymentRequests, other.actor, { updated_from: from });
    expect([page.data, page.has_more]).toEqual([[], false]);
    const { cursor } = await allFrom();
    expect(await refusalOf(changed({ cursor, status: ["canceled"] }))).toBe("invalid_cursor");
    const newest = await world.call(listPaymentRequests, actor(), { limit: 1 });
    expect(newest.data.map(({ payment_id }) => payment_id)).toEqual([id]);
    expect(await refusalOf(changed({ cursor: newest.next_cursor ?? "x" }))).toBe("invalid_cursor");
  });

  it("are not counted", async () => {
    const counted = world.call(listPaymentRequests, actor(), { updated_from: from, include_total: true });
    await expect(counted).rejects.toThrow(Failure);
  });
});

it("transactions, customers and subscriptions are listed by change too", async () => {
  const { id } = await subscribe(world, acme.member.actor);
  const one = await world.call(createCustomer, acme.member.actor, { name: "Ada", email: "ada@example.com" });
  const two = await world.call(createCustomer, acme.member.actor, { name: "Ada L.", email: "lovelace@example.com" });
  await settled();
  const since = { updated_from: new Date(await databaseTime(world.runtime.db.read)).toISOString() };
  const paid = await ask(world, acme.member.actor);
  await payWith(world, paid.token);
  await commandsOf(
    () => world,
    () => acme.member.actor,
  ).pause(id);
  await mergeCustomersOf(world, actor(), one.customer_id, two.customer_id);
  await eraseCustomerOf(world, actor(), two.customer_id);
  await settled();
  const transactions = await world.call(listTransactions, actor(), since);
  expect(transactions.data.map(({ payment_id, status }) => [payment_id, status])).toEqual([
    [paid.payment.payment_id, "succeeded"],
  ]);
  const subscriptions = await world.call(listSubscriptions, actor(), since);
  expect(subscriptions.data.map(({ subscription_id, status }) => [subscription_id, status])).toEqual([[id, "paused"]]);
  const customers = await world.call(listCustomers, actor(), since);
  const ended = customers.data.map(({ customer_id, merged_into, erased_at }) => [
    customer_id,
    merged_into,
    !!erased_at,
  ]);
  expect(ended).toContainEqual([one.customer_id, two.customer_id, true]);
  expect(ended).toContainEqual([two.customer_id, null, true]);
});

it("metadata is found in any spelling, composed or decomposed, and stored in one", async () => {
  const [composed, decomposed] = ["Caf\u00e9", "Cafe\u0301"];
  const found = async (query: string) =>
    (await world.call(listPaymentRequests, actor(), { metadata: { shop: query } })).data.map((one) => one.payment_id);
  const ids: string[] = [];
  for (const shop of [composed, decomposed]) {
    const { payment } = await ask(world, acme.member.actor, { metadata: { shop } });
    expect(payment.metadata).toEqual({ shop: composed });
    ids.unshift(payment.payment_id);
    world.clock.advance(1);
  }
  for (const query of [composed, decomposed]) expect(await found(query)).toEqual(ids);
});

it("payment requests, customers and subscriptions are found by their metadata", async () => {
  const metadata = { order: "A-1", "shop.id": "7" };
  const user = acme.member.actor;
  const { payment } = await ask(world, user, { metadata });
  await ask(world, user, { metadata: { order: "A-2", "shop.id": "7" } });
  const { id } = await subscribe(world, user, { metadata: { plan: "pro" } });
  const ada = await world.call(createCustomer, user, { name: "Ada", metadata: { vip: 'o"1' } });
  await world.call(createCustomer, user, { name: "Grace" });
  const payments = await world.call(listPaymentRequests, actor(), { metadata, include_total: true });
  expect(payments.data.map(({ payment_id }) => payment_id)).toEqual([payment.payment_id]);
  expect(payments.total_count).toBe(1);
  const none = await world.call(listPaymentRequests, user, { metadata: { order: "A-1", "shop.id": "8" } });
  expect(none.data).toEqual([]);
  const subscriptions = await world.call(listSubscriptions, actor(), { metadata: { plan: "pro" } });
  expect(subscriptions.data.map(({ subscription_id }) => subscription_id)).toEqual([id]);
  expect((await world.call(listSubscriptions, actor(), { metadata: { plan: "basic" } })).data).toEqual([]);
  const customers = await world.call(listCustomers, actor(), { metadata: { vip: 'o"1' } });
  expect(customers.data.map(({ customer_id }) => customer_id)).toEqual([ada.customer_id]);
});
