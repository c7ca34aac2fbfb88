// How SQLite plans lists of customers: along one index, in the list's order.
import BetterSqlite from "better-sqlite3";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { sqlitePath } from "@/db/sqlite";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { listCustomers } from "./operations/list";

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

it.each([
  ["the organization's", {}, "customers_page (organization_id=?)"],
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
    prepare.mockClear();
    await world.call(listCustomers, org.admin.actor, filters);
    const plans = plansOf(/from "customers".*order by/);
    expect(plans.length).toBeGreaterThan(0);
    for (const plan of plans) {
      expect(plan).toContain(expected);
      if (!expected.includes("customers_reference")) expect(plan).not.toContain("TEMP B-TREE");
    }
  }
});
