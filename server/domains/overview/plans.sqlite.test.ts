// How SQLite plans the counts of what needs attention: along partial indices that hold little else.
import { afterAll, beforeAll, expect, it } from "vitest";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { watchPlans } from "@/test/plans";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { overviewAttention } from "./operations/attention";

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
  ["accounts without an owner", /from "accounts" where .*"orphaned_at"/, "accounts_orphaned"],
  ["admins without a second factor", /from "users" where .*"mfa_enabled"/, "users_admins"],
])("%s are counted along their own index", async (_, statement, index) => {
  plans.clear();
  await world.call(overviewAttention, org.admin.actor, {});
  for (const plan of plansOf(statement)) expect(plan).toMatch(new RegExp(`INDEX ${index} `));
});

it("subscriptions that are past due or have missed periods are found along indices that hold no others", async () => {
  plans.clear();
  await world.call(overviewAttention, org.admin.actor, {});
  const found = plansOf(/from "subscription(s|_cycles)"/).join("\n");
  expect(found).toMatch(/INDEX subscriptions_past_due /);
  expect(found).toMatch(/INDEX subscription_cycles_missed /);
  expect(found).not.toMatch(/SCAN subscription|INDEX subscriptions_(account_)?page /);
});

it("overdue payment requests are found along the index of due dates", async () => {
  plans.clear();
  await world.call(listPaymentRequests, org.admin.actor, { overdue: true });
  const found = plansOf(/from "payments" where .*"due_at" is not null/);
  expect(found).toContainEqual(expect.stringContaining("INDEX payments_due "));
  // Those whose part payment was refunded are not in that index.
  for (const plan of found) {
    expect(plan).toMatch(/INDEX payments_(due|status_page) /);
    expect(plan).not.toContain("TEMP B-TREE");
  }
});
