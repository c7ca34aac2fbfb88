// How SQLite plans the counts of what needs attention: along partial indices that hold little else.
import BetterSqlite from "better-sqlite3";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { sqlitePath } from "@/db/sqlite";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { overviewAttention } from "./operations/attention";

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
  expect(texts.length).toBeGreaterThan(0);
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
  ["accounts without an owner", /from "accounts" where .*"orphaned_at"/, "accounts_orphaned"],
  ["admins without a second factor", /from "users" where .*"mfa_enabled"/, "users_admins"],
])("%s are counted along their own index", async (_, statement, index) => {
  prepare.mockClear();
  await world.call(overviewAttention, org.admin.actor, {});
  for (const plan of plansOf(statement)) expect(plan).toMatch(new RegExp(`INDEX ${index} `));
});

it("overdue payment requests are found along the index of due dates", async () => {
  prepare.mockClear();
  await world.call(listPaymentRequests, org.admin.actor, { overdue: true });
  for (const plan of plansOf(/from "payments" where .*"due_at" is not null/)) {
    expect(plan).toContain("INDEX payments_due ");
    expect(plan).not.toContain("TEMP B-TREE");
  }
});
