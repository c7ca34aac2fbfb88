// How SQLite plans searches of accounts that match few: along an index, however many accounts there are.
import { afterAll, beforeAll, expect, it } from "vitest";
import { watchPlans } from "@/test/plans";
import { openWorld, type World } from "@/test/world";
import { listAccounts } from "./operations/list";
import { listOwnAccounts } from "./operations/list-own";

const plans = watchPlans();

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it("accounts with an address are found by its index, in list order", async () => {
  const org = await world.organization();
  plans.clear();
  await world.call(listAccounts, org.admin.actor, { email: "office@example.com" });
  for (const plan of plans.of(world.database.url, /"email_key" = \+\?/)) {
    expect(plan).toMatch(/USING (COVERING )?INDEX accounts_email /);
    expect(plan).not.toContain("TEMP B-TREE");
  }
});

it("accounts in debt are found among those with disputes, for admins and members", async () => {
  const org = await world.organization();
  for (const [{ actor }, list] of [
    [org.admin, listAccounts],
    [org.member, listOwnAccounts],
  ] as const) {
    plans.clear();
    await world.call(list, actor, { in_debt: true, include_total: true });
    for (const plan of plans.of(world.database.url, /from "accounts".*dispute_status/)) {
      expect(plan).toMatch(/SEARCH accounts USING INDEX sqlite_autoindex_accounts_1 \(id=\?\)/);
      expect(plan).toMatch(/SEARCH transactions USING (COVERING )?INDEX transactions_disputed/);
      expect(plan).not.toContain("SCAN");
    }
  }
});
