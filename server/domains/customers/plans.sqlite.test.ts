// How SQLite plans lists of customers: along one index, in the list's order.
import { afterAll, beforeAll, expect, it } from "vitest";
import { watchPlans } from "@/test/plans";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { listCustomers } from "./operations/list";

const plans = watchPlans();

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
});
afterAll(() => world.close());

const plansOf = (pattern: RegExp) => plans.of(world.database.url, pattern);

it.each([
  ["the organization's", {}, "customers_page (organization_id=?)"],
  ["by metadata the", { metadata: { order: "A-1" } }, "customers_page (organization_id=?)"],
  ["an address", { email: "a@b.at" }, "customers_email (organization_id=? AND email_key=?)"],
  ["a reference", { reference: "C-1" }, "customers_organization_reference (organization_id=? AND reference=?)"],
])("lists %s customers along one index", async (_, query, index) => {
  for (const [filters, expected] of [
    [query, index],
    [
      { ...query, account_id: org.member.accountId },
      {
        "customers_page (organization_id=?)": "customers_account_page (account_id=?)",
        "customers_email (organization_id=? AND email_key=?)": "customers_account_email (account_id=? AND email_key=?)",
      }[index] ?? "customers_reference (account_id=? AND reference=?)",
    ],
  ] as const) {
    plans.clear();
    await world.call(listCustomers, org.admin.actor, filters);
    for (const plan of plansOf(/from "customers".*order by/)) {
      expect(plan).toContain(expected);
      if (!expected.includes("customers_reference")) expect(plan).not.toContain("TEMP B-TREE");
    }
  }
});
