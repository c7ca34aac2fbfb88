// Erasing customers in saved views: those that search for the customer go, and no others.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { FilteredList } from "@/db/schema/values";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { updateCustomerFields } from "@/server/domains/customers/operations/update";
import { createView, ownViews } from "@/server/domains/views/operations/views";
import type { Actor } from "@/server/kit/context";
import { eraseCustomerOf } from "@/test/closing";
import { onDashboard } from "@/test/factors";
import { openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
let org: TestOrganization;
let member: Actor;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  org = await world.organization();
  member = onDashboard(world, org.member);
});
afterAll(() => world.close());

async function make(given: object, actor = org.member.actor): Promise<string> {
  world.clock.advance(1000);
  return (await world.call(createCustomer, actor, given)).customer_id;
}
const erase = (customer_id: string) => eraseCustomerOf(world, org.member.actor, customer_id);

let views = 0;
const save = (list: FilteredList, filters: Record<string, string>, actor = member) =>
  world.call(createView, actor, { list, name: `View ${views++}`, filters });
const filtersOf = async (actor = member) =>
  (await world.call(ownViews, actor, {})).data.map(({ filters }) => JSON.stringify(filters)).sort();
const written = (saved: readonly { filters: object }[]) => saved.map(({ filters }) => JSON.stringify(filters)).sort();

const grace = { name: "Grace Hopper", email: "grace@example.com", phone: "+43 664 9988776", reference: "KD-4711" };

describe("erasing a customer", () => {
  it("removes saved views that search for an address or a reference that it has or had", async () => {
    const customer_id = await make({ name: "Grace", email: "first@elsewhere.at", reference: "OLD-12" });
    await world.call(updateCustomerFields, org.member.actor, { customer_id, ...grace });
    await save("transactions", { customer_email: "GRACE@example.com", status: "succeeded" });
    await save("transactions", { customer_reference: "KD-4711" });
    await save("customers", { email: "first@elsewhere.at" });
    await save("customers", { reference: "OLD-12" });
    await save("payment_requests", { q: "grace@example.com bicycle" });
    await save("invoices", { customer_email: "grace@example.com" });
    await save("mails", { q: "grace@example.com" });
    await save("subscriptions", { q: "Grace@Example.com" });
    await save("customers", { q: "kd-4711" });
    const kept = [
      await save("payment_requests", { customer_id }),
      await save("customers", { email: "someone@else.at" }),
      await save("customers", { q: "kd-47110" }),
    ];
    await erase(customer_id);
    expect(await filtersOf()).toEqual(written(kept));
  });

  it("keeps those that search for its name or telephone number, which others may share", async () => {
    await make({ name: "Maria Schmidt" });
    const ids = [await make({ name: "Maria Schmidt" }), await make({ name: "Berlin", phone: grace.phone })];
    const kept = [
      await save("customers", { q: "maria schmidt" }),
      await save("payment_requests", { q: "berlin shop" }),
      await save("customers", { q: grace.phone }),
    ];
    for (const id of ids) await erase(id);
    expect(await filtersOf()).toEqual(written(kept));
  });

  it("keeps those that search for an address or a reference that another customer of the account has", async () => {
    const first = await make({ name: "Elder", email: "family@example.com", reference: "F-100" });
    await world.call(updateCustomerFields, org.member.actor, { customer_id: first, reference: "F-200" });
    await make({ name: "Younger", email: "family@example.com", reference: "F-100" });
    const kept = [
      await save("customers", { email: "family@example.com" }),
      await save("transactions", { customer_reference: "F-100" }),
    ];
    await save("transactions", { customer_reference: "F-200" });
    await erase(first);
    expect(await filtersOf()).toEqual(written(kept));
  });

  it("keeps those that search for something else of the same words", async () => {
    const admin = onDashboard(world, org.admin);
    const id = await make(grace);
    const kept = [
      await save("payment_requests", { reference: "KD-4711" }, admin),
      await save("transactions", { reference: "KD-4711" }, admin),
      await save("users", { q: "grace@example.com" }, admin),
      await save("accounts", { email: "grace@example.com" }, admin),
    ];
    await erase(id);
    expect(await filtersOf(admin)).toEqual(written(kept));
  });

  it("removes those that are named after an address of it", async () => {
    const id = await make(grace);
    const named = (name: string) =>
      world.call(createView, member, { list: "transactions", name, filters: { status: "succeeded" } });
    const names = [
      "Open (Grace@example.com)",
      "grace@example.com: open",
      "Open: grace@example.com.",
      "'grace@example.com'",
    ];
    for (const name of [...names, "mailto:grace@example.com", "grace@example.com/open", "to=grace@example.com"]) {
      await named(name);
    }
    const others = ["Not grace@example.community", "not-grace@example.com", "grace@example.com.au"];
    const kept = await Promise.all([...others, "KD-4711", "Grace Hopper"].map(named));
    await erase(id);
    const left = (await world.call(ownViews, member, {})).data.map(({ name }) => name).sort();
    expect(left).toEqual(kept.map(({ name }) => name).sort());
  });

  it("reaches the views of users who see its account, and of no others", async () => {
    const [admin, other] = [onDashboard(world, org.admin), onDashboard(world, org.other)];
    const elsewhere = onDashboard(world, (await world.organization()).admin);
    const id = await make(grace);
    for (const actor of [admin, member, other, elsewhere]) await save("customers", { q: "kd-4711" }, actor);
    await erase(id);
    expect(
      await Promise.all([admin, member, other, elsewhere].map(async (one) => (await filtersOf(one)).length)),
    ).toEqual([0, 0, 1, 1]);
  });
});
