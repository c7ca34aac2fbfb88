// Customers: created, changed, found and listed, and who may see them.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditChanges, auditEntries, customers, events } from "@/db/tables";
import { closeAccountOf } from "@/test/closing";
import { apiKey } from "@/test/people";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { createCustomer } from "./create";
import { getCustomer } from "./get";
import { listCustomers } from "./list";
import { updateCustomerFields } from "./update";

let world: World;
let org: TestOrganization;
let foreign: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  world.clock.advance(1000);
  [org, foreign] = [await world.organization(), await world.organization("Globex")];
});
afterAll(() => world.close());

type Given = Parameters<typeof world.call<typeof createCustomer.input, typeof createCustomer.output>>[2];
const make = (given: Given = { name: "Grace" }, actor = org.member.actor) => {
  world.clock.advance(1000);
  return world.call(createCustomer, actor, given);
};
const change = (customer_id: string, given: object, actor = org.member.actor) =>
  world.call(updateCustomerFields, actor, { customer_id, ...given });
const eventsOf = (id: string) =>
  world.runtime.db.read.select().from(events).where(eq(events.objectId, id)).orderBy(events.sequence);

describe("customers.create", () => {
  it("answers with every field, and records who did it", async () => {
    const made = await make({
      name: "Grace Hopper",
      email: "Grace@Example.com",
      phone: "+43 1 5550100",
      address: { line1: "Graben 1", country: "at" },
      tax_id: "ATU12345678",
      reference: "C-9",
      locale: "de-AT",
      metadata: { tier: "gold" },
    });
    const at = new Date(world.clock.now()).toISOString();
    expect(made).toEqual({
      customer_id: expect.stringMatching(/^cus_[0-9a-z]{26}$/),
      account_id: org.member.accountId,
      name: "Grace Hopper",
      email: "Grace@Example.com",
      phone: "+43 1 5550100",
      address: { line1: "Graben 1", line2: null, postal_code: null, city: null, region: null, country: "AT" },
      tax_id: "ATU12345678",
      reference: "C-9",
      locale: "de-AT",
      metadata: { tier: "gold" },
      credit: [],
      merged_into: null,
      created_at: at,
      updated_at: at,
      erased_at: null,
    });
    const { customer_id } = made;
    expect(await world.call(getCustomer, org.member.actor, { customer_id })).toEqual(made);
    expect(await eventsOf(customer_id)).toMatchObject([{ type: "customer.created", sequence: 1 }]);
    const entries = await world.runtime.db.read
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.targetId, customer_id));
    expect(entries).toMatchObject([{ operation: "customers.create" }]);
  });

  it("refuses one without name, address and reference, a closed account, and a reference that is taken", async () => {
    expect(await refusalOf(make({ phone: "1" }))).toBe("invalid_request");
    expect(await refusalOf(make({ metadata: { tier: "gold" } }))).toBe("invalid_request");
    await make({ reference: "C-1" });
    expect(await refusalOf(make({ reference: "C-1" }))).toBe("duplicate_reference");
    expect(await make({ reference: "Re\u0301f" })).toMatchObject({ reference: "Réf" });
    expect(await refusalOf(make({ reference: "Réf" }))).toBe("duplicate_reference");
    expect(await make({ reference: "C-1" }, org.other.actor)).toMatchObject({ reference: "C-1" });
    await closeAccountOf(world, org.admin.actor, org.other.accountId);
    const late = { name: "Ada", account_id: org.other.accountId };
    expect(await refusalOf(make(late, org.admin.actor))).toBe("account_closed");
  });

  it("lets one of several concurrent calls have a reference", async () => {
    const calls = Array.from({ length: 6 }, () => world.call(createCustomer, org.member.actor, { reference: "C-7" }));
    const ended = await Promise.allSettled(calls);
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const each of ended) {
      if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "duplicate_reference" });
    }
  });
});

describe("customers.update", () => {
  it("changes what is given, clears what is null, and merges objects", async () => {
    const { customer_id } = await make({
      name: "Grace",
      email: "grace@example.com",
      address: { line1: "Graben 1", city: "Vienna" },
      metadata: { tier: "gold", since: "2020" },
    });
    world.clock.advance(5);
    const changed = await change(customer_id, {
      name: "Grace Hopper",
      email: null,
      address: { line1: null, country: "AT" },
      metadata: { tier: null, vip: "1" },
    });
    expect(changed).toMatchObject({
      ...{ name: "Grace Hopper", email: null, metadata: { since: "2020", vip: "1" } },
      address: { line1: null, city: "Vienna", country: "AT" },
      updated_at: new Date(world.clock.now()).toISOString(),
    });
    expect((await change(customer_id, { address: { city: null, country: null } })).address).toBeNull();
    expect(await eventsOf(customer_id)).toMatchObject([
      { type: "customer.created" },
      { type: "customer.updated", data: { customer_id, fields: ["address", "email", "metadata", "name"] } },
      { type: "customer.updated", data: { customer_id, fields: ["address"] } },
    ]);
    const kept = await world.runtime.db.read.select().from(auditChanges).where(eq(auditChanges.subjectId, customer_id));
    expect(kept.map(({ field }) => field).sort()).toEqual(["address", "address", "email", "name"]);
  });

  it("refuses what would leave nothing to know it by, too much metadata, and a reference that is taken", async () => {
    const { customer_id } = await make();
    await make({ reference: "C-2" });
    expect(await refusalOf(change(customer_id, { name: null }))).toBe("invalid_request");
    expect(await refusalOf(change(customer_id, { reference: "C-2" }))).toBe("duplicate_reference");
    for (const prefix of ["a", "b"]) {
      const metadata = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${prefix}${i}`, "x"]));
      if (prefix === "a") await change(customer_id, { metadata });
      else expect(await refusalOf(change(customer_id, { metadata }))).toBe("invalid_request");
    }
    expect(await change(customer_id, { reference: "C-3" })).toMatchObject({ reference: "C-3", name: "Grace" });
    expect(await change(customer_id, { reference: "C-3", name: null })).toMatchObject({ name: null });
  });

  it("lets one of several concurrent calls have a reference", async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => make()));
    const ended = await Promise.allSettled([
      ...made.map(({ customer_id }) => change(customer_id, { reference: "C-8" })),
      make({ reference: "C-8" }),
    ]);
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const each of ended) {
      if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "duplicate_reference" });
    }
    expect(await world.runtime.db.read.$count(customers, eq(customers.reference, "C-8"))).toBeGreaterThan(0);
  });
});

describe("customers.list", () => {
  const listed = async (actor = org.member.actor, query: object = {}) =>
    (await world.call(listCustomers, actor, query)).data.map(({ customer_id }) => customer_id);

  it("shows members the customers of their own accounts, and others those of the organization", async () => {
    const { customer_id: own } = await make();
    const { customer_id: other } = await make({ name: "Ada" }, org.other.actor);
    await make({ name: "Elsewhere" }, foreign.member.actor);
    expect(await listed()).toEqual([own]);
    expect(await listed(org.admin.actor)).toEqual([other, own]);
    expect(await listed(org.admin.actor, { account_id: org.member.accountId })).toEqual([own]);
    const bound = await apiKey(world, org.id, ["customers:read"], { accountId: org.other.accountId });
    expect(await listed(bound.actor)).toEqual([other]);
    const stranger = listed(foreign.admin.actor, { account_id: org.member.accountId });
    expect(await refusalOf(stranger)).toBe("account_not_found");
    const unseen = world.call(getCustomer, org.other.actor, { customer_id: own });
    expect(await refusalOf(unseen)).toBe("customer_not_found");
  });

  it("filters by address, reference, words and id, as the customer is now", async () => {
    const { customer_id: grace } = await make({ name: "Grace Hopper", email: "Grace@Example.com", reference: "C-1" });
    const { customer_id: zoe } = await make({ name: "Zoë", email: "zoe@example.com", phone: "0664 555" });
    for (const actor of [org.member.actor, org.admin.actor]) {
      expect(await listed(actor, { email: "grace@EXAMPLE.com" })).toEqual([grace]);
      expect(await listed(actor, { reference: "C-1" })).toEqual([grace]);
      expect(await listed(actor, { reference: "C-1", email: "zoe@example.com" })).toEqual([]);
      expect(await listed(actor, { q: "hopp" })).toEqual([grace]);
      expect(await listed(actor, { q: "zoe" })).toEqual([zoe]);
      expect(await listed(actor, { q: "example 0664" })).toEqual([zoe]);
      expect(await listed(actor, { q: grace })).toEqual([grace]);
    }
    await change(grace, { name: "Ada", email: "ada@example.com" });
    expect(await listed(org.member.actor, { q: "hopp" })).toEqual([]);
    expect(await listed(org.member.actor, { email: "grace@example.com" })).toEqual([]);
    expect(await listed(org.member.actor, { q: "ada" })).toEqual([grace]);
    expect(await listed(foreign.admin.actor, { q: grace })).toEqual([]);
  });

  it("pages through all of them without loss or repetition, and counts them", async () => {
    const made: string[] = [];
    for (let i = 0; i < 7; i++) made.unshift((await make({ name: `Customer ${i}` })).customer_id);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await world.call(listCustomers, org.admin.actor, { limit: 3, include_total: true, cursor });
      expect(page.total_count).toBe(7);
      seen.push(...page.data.map(({ customer_id }) => customer_id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(made);
  });
});
