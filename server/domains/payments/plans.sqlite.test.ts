// How SQLite plans the counts above the dashboard's list, the list of one customer, and what reusable links need: by an
// index that has it.
import { afterAll, beforeAll, expect, it } from "vitest";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { askMany, payUse } from "@/test/link-payer";
import { watchPlans } from "@/test/plans";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { countPayments } from "./operations/counts";
import { listPaymentRequests } from "./operations/list";

const plans = watchPlans();

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
});
afterAll(() => world.close());

const plansOf = (pattern: RegExp) => plans.of(world.database.url, pattern);

/** The plan of the only such statement. */
function planOf(pattern: RegExp): string {
  const found = plansOf(pattern);
  expect(found).toHaveLength(1);
  return found[0] ?? "";
}

it("the tabs are counted by the index of statuses, which has the dates too", async () => {
  plans.clear();
  await world.call(countPayments, org.admin.actor, {});
  const plan = planOf(/group by "payments"."status"/);
  expect(plan).toContain("payments_status_page (organization_id=? AND status=?)");
  expect(plan).not.toContain("TEMP B-TREE");
});

it("payment requests of a status that time does not change are counted without reading them", async () => {
  plans.clear();
  await world.call(listPaymentRequests, org.admin.actor, { status: ["paid"], include_total: true });
  expect(planOf(/^select count\(\*\)/)).toContain("COVERING INDEX payments_status_page");
});

it("looks for metadata along the index of the list, in its order, for admins and members", async () => {
  for (const [{ actor }, index] of [
    [org.admin, "payments_page (organization_id=?"],
    [org.member, "payments_account_page (account_id=?"],
  ] as const) {
    plans.clear();
    await world.call(listPaymentRequests, actor, { metadata: { order: "A-1" } });
    const found = plansOf(/from "payments".*json_extract.*order by/);
    expect(found.length).toBeGreaterThan(0);
    for (const plan of found) {
      expect(plan).toContain(index);
      expect(plan).not.toMatch(/TEMP B-TREE|SCAN payments/);
    }
  }
});

it("lists the payment requests of a customer along the index of customers", async () => {
  const { customer_id } = await world.call(createCustomer, org.member.actor, { name: "Grace" });
  for (const { actor } of [org.admin, org.member]) {
    plans.clear();
    await world.call(listPaymentRequests, actor, { customer_id, status: ["pending"], include_total: true });
    for (const plan of plansOf(/from "payments".*order by|count\(\*\).*from "payments"/)) {
      expect(plan).toContain("payments_customer (customer_id=?");
      expect(plan).not.toContain("TEMP B-TREE");
    }
  }
});

it.each([
  ["reusable", "payments_links (organization_id=?", "payments_account_links (account_id=?"],
  ["paused", "payments_links (organization_id=?", "payments_account_links (account_id=?"],
  ["many_declines", "payments_links (organization_id=?", "payments_account_links (account_id=?"],
  ["over_limit", "payments_over_limit (organization_id=?", "payments_over_limit (organization_id=?"],
  ["overpaid", "payments_overpaid (organization_id=?", "payments_overpaid (organization_id=?"],
  ["link_requested", "payments_link_requested (organization_id=?", "payments_link_requested (organization_id=?"],
  ["reminder_waiting", "payments_reminder_waiting (organization_id=?", "payments_reminder_waiting (organization_id=?"],
])("lists what the filter %s wants along an index of its own, for admins and members", async (filter, all, own) => {
  for (const [{ actor }, index] of [
    [org.admin, all],
    [org.member, own],
  ] as const) {
    plans.clear();
    await world.call(listPaymentRequests, actor, { [filter]: true, include_total: true });
    for (const plan of plansOf(/from "payments".*order by|count\(\*\).*from "payments"/)) {
      expect(plan).toContain(index);
      expect(plan).not.toContain("TEMP B-TREE");
    }
  }
});

it("lists the payment requests of a subscription along their index", async () => {
  for (const { actor } of [org.admin, org.member]) {
    plans.clear();
    const subscription_id = `sub_${"0".repeat(26)}`;
    await world.call(listPaymentRequests, actor, { subscription_id, include_total: true });
    for (const plan of plansOf(/from "payments".*order by|count\(\*\).*from "payments"/)) {
      expect(plan).toContain("payments_subscription (subscription_id=?");
      expect(plan).not.toContain("TEMP B-TREE");
    }
  }
});

it("looks for the places that an address holds along the index of held places", async () => {
  const { token } = await askMany(world, org.member.actor, { usage_limit: 10 });
  plans.clear();
  await payUse(world, token);
  const found = plansOf(/from "payments" inner join "transactions".*'held'/);
  expect(found.length).toBeGreaterThan(1);
  for (const plan of found) {
    expect(plan).toContain("payments_held (parent_payment_id=? AND payer_key=?");
    expect(plan).toContain("transactions_payment (payment_id=?");
  }
});
