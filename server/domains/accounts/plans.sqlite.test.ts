// How SQLite plans the search of accounts by e-mail address: along an index, however many accounts there are.
import { afterAll, beforeAll, expect, it } from "vitest";
import { watchPlans } from "@/test/plans";
import { openWorld, type World } from "@/test/world";
import { listAccounts } from "./operations/list";

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
  for (const plan of plans.of(world.database.url, /"email_key" = \?/)) {
    expect(plan).toMatch(/USING (COVERING )?INDEX accounts_email /);
    expect(plan).not.toContain("TEMP B-TREE");
  }
});
