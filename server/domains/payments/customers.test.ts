// The customers of payment requests: named, found or made.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { events } from "@/db/tables";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { getCustomer } from "@/server/domains/customers/operations/get";
import { listCustomers } from "@/server/domains/customers/operations/list";
import { updateCustomerFields } from "@/server/domains/customers/operations/update";
import { apiKey } from "@/test/people";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { countPayments } from "./operations/counts";
import { createPayment } from "./operations/create";
import { getPayment } from "./operations/get";
import { listPaymentRequests } from "./operations/list";

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

const ask = (customer: object | null, given: object = {}, actor = org.member.actor) => {
  world.clock.advance(1000);
  const input = { type: "product", amount: 500, currency: "EUR", customer, ...given } as const;
  return world.call(createPayment, actor, input);
};
const make = (given: object, actor = org.member.actor) => {
  world.clock.advance(1000);
  return world.call(createCustomer, actor, given);
};
const all = async (actor = org.admin.actor) => (await world.call(listCustomers, actor, {})).data;

describe("a new payment request", () => {
  it("names a customer only for a caller that may read customers", async () => {
    const { customer_id } = await make({ name: "Grace", reference: "R-77", metadata: { note: "late payer" } });
    const keyOf = (scopes: string[]) => apiKey(world, org.id, scopes);
    const account_id = org.member.accountId;
    const writer = await keyOf(["payments:write"]);
    const found = await ask({ reference: "R-77" }, { account_id }, writer.actor);
    expect(found.customer).toEqual({ customer_id, reference: "R-77", name: null, email: null, metadata: {} });
    const named = ask({ customer_id }, { account_id }, writer.actor);
    expect(await refusalOf(named)).toBe("insufficient_permissions");
    const reader = await keyOf(["payments:write", "customers:read"]);
    const { customer } = await ask({ customer_id }, { account_id }, reader.actor);
    expect(customer).toMatchObject({ name: "Grace", metadata: { note: "late payer" } });
  });

  it("makes the customer of a new address, and finds it again however the address is spelled", async () => {
    const first = await ask({ name: "Grace", email: "Grace@Example.com", metadata: { tier: "gold" } });
    const second = await ask({ name: "G. Hopper", email: "grace@EXAMPLE.com" });
    const [made, ...others] = await all();
    expect(others).toEqual([]);
    expect(made).toMatchObject({
      name: "Grace",
      email: "Grace@Example.com",
      reference: null,
      metadata: { tier: "gold" },
    });
    expect(first.customer?.customer_id).toBe(made?.customer_id);
    expect(second.customer).toEqual({
      ...{ customer_id: made?.customer_id, name: "G. Hopper", email: "grace@EXAMPLE.com" },
      ...{ reference: null, metadata: {} },
    });
    const { payment_id } = second;
    expect((await world.call(getPayment, org.member.actor, { payment_id })).customer).toEqual(second.customer);
    const { db } = world.runtime;
    const emitted = await db.read
      .select()
      .from(events)
      .where(eq(events.objectId, made?.customer_id ?? ""));
    expect(emitted.map(({ type }) => type)).toEqual(["customer.created"]);
  });

  it("prefers the reference, then the oldest with the address, within the account", async () => {
    const elder = await make({ name: "Elder", email: "shared@example.com" });
    await make({ name: "Younger", email: "shared@example.com" });
    const referred = await make({ name: "Referred", email: "own@example.com", reference: "C-1" });
    expect((await ask({ email: "shared@example.com" })).customer?.customer_id).toBe(elder.customer_id);
    const both = await ask({ email: "shared@example.com", reference: "C-1" });
    expect(both.customer?.customer_id).toBe(referred.customer_id);
    const unknown = await ask({ email: "shared@example.com", reference: "C-unknown" });
    expect(unknown.customer?.customer_id).toBe(elder.customer_id);
    const elsewhere = await ask({ email: "shared@example.com", reference: "C-1" }, {}, org.other.actor);
    expect(elsewhere.customer?.customer_id).not.toBe(elder.customer_id);
    expect(elsewhere.customer?.customer_id).not.toBe(referred.customer_id);
  });

  it("makes none from metadata alone, and one from a name", async () => {
    expect((await ask({ metadata: { tier: "gold" } })).customer?.customer_id).toBeNull();
    expect((await ask(null)).customer).toBeNull();
    expect(await all()).toEqual([]);
    expect((await ask({ name: "Ada" })).customer?.customer_id).toMatch(/^cus_/);
    expect(await all()).toHaveLength(1);
  });

  it("takes what it leaves out from the customer that it names, and changes nothing in it", async () => {
    const known = await make({ name: "Grace", email: "grace@example.com", reference: "C-1", metadata: { a: "1" } });
    const { customer_id } = known;
    const own = { name: "Grace", email: "grace@example.com", reference: "C-1", metadata: { a: "1" } };
    expect((await ask({ customer_id })).customer).toEqual({ customer_id, ...own });
    const changed = await ask({ customer_id, name: "Dr Hopper", email: null, metadata: { b: "2" } });
    expect(changed.customer).toEqual({ customer_id, ...own, name: "Dr Hopper", email: null, metadata: { b: "2" } });
    expect(await world.call(getCustomer, org.member.actor, { customer_id })).toEqual(known);
    await world.call(updateCustomerFields, org.member.actor, { customer_id, name: "Later" });
    const { payment_id } = changed;
    const kept = await world.call(getPayment, org.member.actor, { payment_id });
    expect(kept.customer?.name).toBe("Dr Hopper");
  });

  it("refuses a customer of another account, and one without an address if it is to be sent", async () => {
    const { customer_id } = await make({ name: "Theirs" }, org.other.actor);
    const account_id = org.member.accountId;
    expect(await refusalOf(ask({ customer_id }))).toBe("customer_not_found");
    expect(await refusalOf(ask({ customer_id }, { account_id }, org.admin.actor))).toBe("customer_not_found");
    expect(await refusalOf(ask({ customer_id: "cus_nonsense" }))).toBe("customer_not_found");
    const silent = await make({ name: "No address" });
    expect(await refusalOf(ask({ customer_id: silent.customer_id }, { send: true }))).toBe("invalid_request");
    const reachable = await make({ email: "grace@example.com" });
    expect(await ask({ customer_id: reachable.customer_id }, { send: true })).toMatchObject({ status: "pending" });
  });

  it("leaves no customer behind when it is refused", async () => {
    await ask(null, { reference: "R-1" });
    expect(await refusalOf(ask({ email: "new@example.com" }, { reference: "R-1" }))).toBe("duplicate_reference");
    expect(await all()).toEqual([]);
  });

  it("makes one customer with concurrent others to the same address or reference", async () => {
    for (const customer of [
      { email: "one@example.com" },
      { reference: "C-1" },
      { email: "b@b.at", reference: "C-2" },
    ]) {
      const asked = await Promise.all(Array.from({ length: 8 }, () => ask(customer)));
      expect(new Set(asked.map((each) => each.customer?.customer_id)).size).toBe(1);
    }
    expect(await all()).toHaveLength(3);
  });

  it("makes another customer for an address that its customer no longer has", async () => {
    const first = await ask({ email: "old@example.com" });
    const customer_id = first.customer?.customer_id ?? "";
    await world.call(updateCustomerFields, org.member.actor, { customer_id, email: "new@example.com" });
    expect((await ask({ email: "old@example.com" })).customer?.customer_id).not.toBe(customer_id);
    expect((await ask({ email: "new@example.com" })).customer?.customer_id).toBe(customer_id);
  });
});

describe("the filter by customer", () => {
  it("finds the customer's payment requests together with other filters, and counts them", async () => {
    const grace = await ask({ email: "grace@example.com" }, { description: "Cake" });
    const again = await ask({ email: "grace@example.com" }, { description: "Bread" });
    await ask({ email: "ada@example.com" }, { description: "Cake" });
    const customer_id = grace.customer?.customer_id ?? "";
    const found = async (query: object, actor = org.member.actor) =>
      (await world.call(listPaymentRequests, actor, { customer_id, ...query })).data.map((row) => row.payment_id);
    for (const actor of [org.member.actor, org.admin.actor]) {
      expect(await found({}, actor)).toEqual([again.payment_id, grace.payment_id]);
      expect(await found({ q: "cake" }, actor)).toEqual([grace.payment_id]);
      expect(await found({ status: ["paid"] }, actor)).toEqual([]);
      expect(await found({ status: ["pending"], limit: 1 }, actor)).toEqual([again.payment_id]);
      expect(await world.call(countPayments, actor, { customer_id })).toMatchObject({ all: 2, open: 2 });
    }
    expect(await refusalOf(found({}, org.other.actor))).toBe("customer_not_found");
    const { customer_id: theirs } = await make({ name: "Theirs" }, org.other.actor);
    expect(await found({ customer_id: theirs }, org.admin.actor)).toEqual([]);
  });
});
