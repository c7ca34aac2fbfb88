// What a hostile reading found in plans: a rare value is looked for in every row. Each test states what is right, and fails.
import { afterAll, beforeAll, expect, it } from "vitest";
import { listAccounts } from "@/server/domains/accounts/operations/list";
import { listTransactions } from "@/server/domains/transactions/operations/list";
import { earn } from "@/test/money";
import { watchPlans } from "@/test/plans";
import { openWorld, type TestOrganization, type World } from "@/test/world";

const plans = watchPlans();
let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  await earn(world, org.member, 100);
});
afterAll(() => world.close());

it("disputed transactions are found along an index that holds no others", async () => {
  plans.clear();
  await world.call(listTransactions, org.admin.actor, { disputed: true });
  const steps = plans.of(world.database.url, /from .*"transactions"/s).join("\n");
  expect(steps).not.toContain("transactions_page");
  expect(steps).toContain("transactions_disputed");
});

it("accounts in debt are found among those with disputes, as the home page counts them", async () => {
  plans.clear();
  await world.call(listAccounts, org.admin.actor, { in_debt: true });
  const steps = plans.of(world.database.url, /from .*"accounts"/s).join("\n");
  expect(steps).toContain("transactions_disputed");
});
