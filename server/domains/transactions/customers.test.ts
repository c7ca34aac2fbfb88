// The customers of transactions: named, found or made without a payment request, and followed by lists and exports.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { mails, transactions } from "@/db/tables";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { getCustomer } from "@/server/domains/customers/operations/get";
import { listCustomers } from "@/server/domains/customers/operations/list";
import { eraseCustomerOf, mergeCustomersOf } from "@/test/closing";
import { type CreateInput, create, rowOf } from "@/test/money";
import { ask } from "@/test/payer";
import { apiKey } from "@/test/people";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { exportTransactions } from "./operations/export";
import { getTransaction } from "./operations/get";
import { listTransactions } from "./operations/list";

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

type Given = NonNullable<CreateInput["customer"]>;

const make = async (given: object, actor = org.member.actor): Promise<string> => {
  world.clock.advance(1000);
  return (await world.call(createCustomer, actor, given)).customer_id;
};
const record = (customer: Given | null, fields: object = {}, actor = org.member.actor) => {
  world.clock.advance(1000);
  return create(world, actor, { type: "payment", amount: 300, currency: "EUR", customer, ...fields });
};
const refund = (parent_transaction_id: string, customer: Given | null = null) => {
  world.clock.advance(1000);
  return create(world, org.member.actor, { type: "refund", parent_transaction_id, amount: 100, customer });
};
const listed = async (customer_id: string, actor = org.member.actor) =>
  (await world.call(listTransactions, actor, { customer_id })).data.map(({ transaction_id: id }) => id);
const customersOf = async (actor = org.member.actor) => (await world.call(listCustomers, actor, {})).data;

describe("a new transaction", () => {
  it("names its customer, whose fields fill in what is left out", async () => {
    const own = { name: "Grace", email: "grace@example.com", reference: "G-1", metadata: { tier: "gold" } };
    const customer_id = await make(own);
    const made = await record({ customer_id, name: "G. Hopper", reference: null });
    expect(made).toMatchObject({ customer_id, payment_id: null });
    expect(made.customer).toEqual({ ...own, name: "G. Hopper", reference: null });
    expect(await world.call(getCustomer, org.member.actor, { customer_id })).toMatchObject(own);
  });

  it("finds its customer by the reference, else by the address, the oldest of several", async () => {
    const elder = await make({ name: "Elder", email: "family@example.com" });
    const younger = await make({ name: "Younger", email: "family@example.com", reference: "Y-1" });
    expect((await record({ email: "FAMILY@example.com" })).customer_id).toBe(elder);
    expect((await record({ reference: "Y-1", email: "family@example.com" })).customer_id).toBe(younger);
    expect(await customersOf()).toHaveLength(2);
  });

  it("makes a customer of a new address or of a name alone, but not of metadata alone", async () => {
    const { customer_id } = await record({ name: "Walk-in", metadata: { desk: "2" } });
    const [made] = await customersOf();
    expect(made).toMatchObject({ customer_id, name: "Walk-in", email: null, metadata: { desk: "2" } });
    const first = await record({ email: "new@example.com" });
    expect((await record({ email: "New@example.com" })).customer_id).toBe(first.customer_id);
    expect((await record({ metadata: { desk: "2" } })).customer_id).toBeNull();
    expect((await record(null)).customer_id).toBeNull();
    expect(await customersOf()).toHaveLength(2);
  });

  it.each<[string, () => CreateInput]>([
    ["credit", () => ({ type: "credit", amount: 5, currency: "EUR" })],
    ["adjustment", () => ({ type: "adjustment", direction: "in", reason: "other", amount: 5, currency: "EUR" })],
    ["transfer", () => ({ type: "transfer", destination_account_id: org.other.accountId, amount: 5, currency: "EUR" })],
  ])("of type %s has one too", async (_, input) => {
    const customer_id = await make({ name: "Grace" });
    await record(null);
    const fields = { account_id: org.member.accountId, customer: { customer_id } };
    expect(await create(world, org.admin.actor, { ...input(), ...fields })).toMatchObject({ customer_id });
  });

  it("that is a transfer shows its receiver what the caller wrote, and nothing of the sender's customer", async () => {
    const customer_id = await make({ name: "Grace", email: "grace@example.com", metadata: { iban: "DE00" } });
    await record(null);
    const transfer = (customer: Given) =>
      record(customer, { type: "transfer", amount: 5, destination_account_id: org.other.accountId });
    const seen = async ({ transaction_id }: { transaction_id: string }) =>
      world.call(getTransaction, org.other.actor, { transaction_id });
    const named = await transfer({ customer_id });
    expect(named).toMatchObject({ customer_id, customer: null });
    expect(await seen(named)).toMatchObject({ customer_id: null, customer: null });
    const written = await seen(await transfer({ customer_id, reference: "For Grace" }));
    expect(written).toMatchObject({ customer_id: null, customer: { name: null, email: null, reference: "For Grace" } });
    const found = await world.call(listTransactions, org.other.actor, { q: "grace@example.com" });
    expect(found.data).toEqual([]);
  });

  it("refuses a customer of another account, an erased one, and a key that may not read customers", async () => {
    const theirs = await make({ name: "Theirs" }, org.other.actor);
    const gone = await make({ name: "Gone" });
    await eraseCustomerOf(world, org.member.actor, gone);
    const account_id = org.member.accountId;
    for (const customer_id of [theirs, gone, world.id("cus")]) {
      expect(await refusalOf(record({ customer_id }))).toBe("customer_not_found");
      expect(await refusalOf(record({ customer_id }, { account_id }, org.admin.actor))).toBe("customer_not_found");
    }
    const customer_id = await make({ name: "Grace", reference: "G-1" });
    const { actor } = await apiKey(world, org.id, ["transactions:write"]);
    expect(await refusalOf(record({ customer_id }, { account_id }, actor))).toBe("insufficient_permissions");
    expect((await record({ reference: "G-1" }, { account_id }, actor)).customer_id).toBe(customer_id);
  });
});

describe("a transaction of a payment request", () => {
  it("has the customer of that, and may name no other", async () => {
    const [grace, ada] = [await make({ name: "Grace", email: "grace@example.com" }), await make({ name: "Ada" })];
    const { payment } = await ask(world, org.member.actor, { amount: 900, customer: { customer_id: grace } });
    const fields = { payment_id: payment.payment_id };
    expect(await refusalOf(record({ customer_id: ada }, fields))).toBe("invalid_request");
    const named = await record({ customer_id: grace }, fields);
    expect(named).toMatchObject({ customer_id: grace, customer: { name: "Grace", email: "grace@example.com" } });
    const told = await record({ name: "Somebody", email: "somebody@example.com" }, fields);
    expect(told).toMatchObject({ customer_id: grace, customer: { name: "Somebody" } });
    expect(await customersOf()).toHaveLength(2);
    expect((await rowOf(world, named.transaction_id)).customerId).toBeNull();
    expect(await refusalOf(refund(named.transaction_id, { customer_id: ada }))).toBe("invalid_request");
    expect((await refund(named.transaction_id)).customer_id).toBe(grace);
    expect(await listed(grace)).toHaveLength(3);
  });

  it("tells nobody whether another account's payment request exists", async () => {
    const customer_id = await make({ name: "Grace" });
    const { payment } = await ask(world, org.other.actor, { amount: 900 });
    const fields = { payment_id: payment.payment_id, account_id: org.member.accountId };
    expect(await refusalOf(record({ customer_id }, fields))).toBe("payment_not_found");
  });
});

describe("a refund", () => {
  it("has the customer of the payment, or of its merged customer the survivor, unless it names another", async () => {
    const [twin, kept] = [await make({ name: "Twin" }), await make({ name: "Kept" })];
    const paid = await record({ customer_id: twin }, { amount: 900 });
    const first = await refund(paid.transaction_id);
    expect(first).toMatchObject({ customer_id: twin, customer: { name: "Twin" } });
    await mergeCustomersOf(world, org.member.actor, twin, kept);
    // As while the job of a merge has not moved it yet.
    await world.runtime.db.write((tx) =>
      tx.update(transactions).set({ customerId: twin }).where(eq(transactions.id, paid.transaction_id)),
    );
    const second = await refund(paid.transaction_id);
    expect(second).toMatchObject({ customer_id: kept, customer: { name: "Twin" } });
    expect((await rowOf(world, second.transaction_id)).customerId).toBe(kept);
    const ada = await make({ name: "Ada" });
    const hers = await refund(paid.transaction_id, { customer_id: ada });
    expect(hers.customer_id).toBe(ada);
    // Metadata alone says nothing about who it is.
    const noted = await refund(paid.transaction_id, { metadata: { desk: "2" } });
    expect(noted).toMatchObject({ customer_id: kept, customer: { metadata: { desk: "2" } } });
    await eraseCustomerOf(world, org.member.actor, kept);
    const snapshotOf = async ({ transaction_id }: { transaction_id: string }) =>
      (await world.call(getTransaction, org.member.actor, { transaction_id })).customer;
    expect(await snapshotOf(hers)).toMatchObject({ name: "Ada" });
    expect(await snapshotOf(second)).toMatchObject({ name: null });
  });
});

describe("the filter by customer", () => {
  it("finds transactions with and without a payment request, in lists and exports, for those who see them", async () => {
    const [grace, ada] = [await make({ name: "Grace" }), await make({ name: "Ada" })];
    const { payment } = await ask(world, org.member.actor, { amount: 900, customer: { customer_id: grace } });
    const counted = await record(null, { payment_id: payment.payment_id });
    const direct = await record({ customer_id: grace });
    const back = await refund(direct.transaction_id);
    await record({ customer_id: ada });
    await record(null);
    const ids = [back, direct, counted].map(({ transaction_id: id }) => id);
    for (const actor of [org.member.actor, org.admin.actor]) expect(await listed(grace, actor)).toEqual(ids);
    expect(await refusalOf(listed(grace, org.other.actor))).toBe("customer_not_found");
    const query = { customer_id: grace, include_total: true, type: ["payment" as const] };
    const page = await world.call(listTransactions, org.admin.actor, query);
    expect(page).toMatchObject({ total_count: 2, data: [{ customer_id: grace }, { customer_id: grace }] });
    let text = "";
    const file = await world.call(exportTransactions, org.member.actor, { customer_id: grace, format: "ndjson" });
    for await (const chunk of file.chunks) text += chunk;
    const rows = text.split("\n").slice(0, -1);
    expect(rows.map((line) => JSON.parse(line))).toMatchObject(
      ids.map((transaction_id) => ({ transaction_id, customer_id: grace })),
    );
    await mergeCustomersOf(world, org.member.actor, grace, ada);
    for (const id of [grace, ada]) expect(await listed(id)).toHaveLength(4);
  });
});

describe("erasing a customer", () => {
  const nameOf = async ({ transaction_id }: { transaction_id: string }) =>
    (await world.call(getTransaction, org.admin.actor, { transaction_id })).customer?.name;

  it("leaves what is said of somebody else whose reference is the same", async () => {
    const bob = await make({ name: "Bob", email: "bob@example.com" });
    const ann = await make({ name: "Ann", email: "ann@example.com", reference: "A-1" });
    const { payment } = await ask(world, org.member.actor, { amount: 900, customer: { customer_id: bob } });
    const customer = { name: "Bob", email: "bob@example.com", reference: "A-1" };
    const paid = await record(customer, { payment_id: payment.payment_id });
    await refund(paid.transaction_id);
    const { db } = world.runtime;
    const written = await db.read.select().from(mails).where(eq(mails.organizationId, org.id)).orderBy(mails.id);
    await eraseCustomerOf(world, org.member.actor, ann);
    expect(await nameOf(paid)).toBe("Bob");
    expect(await db.read.select().from(mails).where(eq(mails.organizationId, org.id)).orderBy(mails.id)).toEqual(
      written,
    );
  });

  it("leaves a refund that names a third one", async () => {
    const { payment } = await ask(world, org.member.actor, { amount: 900, customer: { name: "Bob" } });
    const ann = await make({ name: "Ann", email: "ann@example.com" });
    const paid = await record({ name: "Ann", email: "ann@example.com" }, { payment_id: payment.payment_id });
    const own = await refund(paid.transaction_id);
    const other = await refund(paid.transaction_id, { name: "Cid", email: "cid@example.com" });
    await eraseCustomerOf(world, org.member.actor, ann);
    expect(await Promise.all([paid, own, other].map(nameOf))).toEqual([null, null, "Cid"]);
  });
});
