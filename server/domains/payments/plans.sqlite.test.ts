// How SQLite plans the counts above the dashboard's list, and the list of one customer: by an index that has what they
// need.
import BetterSqlite from "better-sqlite3";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { sqlitePath } from "@/db/sqlite";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { countPayments } from "./operations/counts";
import { listPaymentRequests } from "./operations/list";

/** Set before any connection opens, since each connection keeps its own copy of this function. */
const prepare = vi.spyOn(BetterSqlite.prototype, "prepare");

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
});
afterAll(() => world.close());

/** The plans of the statements since the last call whose text matches. */
function plansOf(pattern: RegExp): string[] {
  const texts = prepare.mock.calls.map(([text]) => text).filter((text) => pattern.test(text));
  prepare.mockClear();
  const connection = new BetterSqlite(sqlitePath(world.database.url), { readonly: true });
  const plans = texts.map((text) =>
    JSON.stringify(
      connection.prepare(`explain query plan ${text}`).all(...Array(text.split("?").length - 1).fill("1")),
    ),
  );
  connection.close();
  return plans;
}

/** The plan of the only such statement. */
function planOf(pattern: RegExp): string {
  const plans = plansOf(pattern);
  expect(plans).toHaveLength(1);
  return plans[0] ?? "";
}

it("the tabs are counted by the index of statuses, which has the dates too", async () => {
  prepare.mockClear();
  await world.call(countPayments, org.admin.actor, {});
  const plan = planOf(/group by "payments"."status"/);
  expect(plan).toContain("payments_status_page (organization_id=? AND status=?)");
  expect(plan).not.toContain("TEMP B-TREE");
});

it("payment requests of a status that time does not change are counted without reading them", async () => {
  prepare.mockClear();
  await world.call(listPaymentRequests, org.admin.actor, { status: ["paid"], include_total: true });
  expect(planOf(/^select count\(\*\)/)).toContain("COVERING INDEX payments_status_page");
});

it("lists the payment requests of a customer along the index of customers", async () => {
  const { customer_id } = await world.call(createCustomer, org.member.actor, { name: "Grace" });
  for (const { actor } of [org.admin, org.member]) {
    prepare.mockClear();
    await world.call(listPaymentRequests, actor, { customer_id, status: ["pending"], include_total: true });
    const plans = plansOf(/from "payments".*order by|count\(\*\).*from "payments"/);
    expect(plans.length).toBeGreaterThan(0);
    for (const plan of plans) {
      expect(plan).toContain("payments_customer (customer_id=?");
      expect(plan).not.toContain("TEMP B-TREE");
    }
  }
});
