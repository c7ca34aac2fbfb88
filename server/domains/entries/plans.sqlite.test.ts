// How SQLite plans the lists of ledger entries: along the index of postings that has their order.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Actor } from "@/server/kit/context";
import { earn } from "@/test/money";
import { watchPlans } from "@/test/plans";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { listEntries } from "./operations/list";

const plans = watchPlans();

let world: World;
let org: TestOrganization;
let earned: string;
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
  for (let i = 0; i < 3; i++) earned = (await earn(world, org.member, 100)).transaction_id;
  world.clock.advance(5_000);
});
afterAll(() => world.close());

/** The steps of the list's queries of postings. */
async function stepsOf(actor: Actor, query: object): Promise<string[]> {
  plans.clear();
  await world.call(listEntries, actor, query);
  return plans.of(world.database.url, /from "postings"/).flatMap((plan) => plan.split("\n"));
}

const walked = (steps: string[]): string[] => [
  ...new Set(steps.flatMap((step) => /SEARCH postings USING (?:COVERING )?INDEX (\w+)/.exec(step)?.[1] ?? [])),
];

it.each<[string, object]>([
  ["nothing", {}],
  ["a period", { booked_from: "2026-01-01", booked_to: "2027-01-01" }],
  ["a kind and a currency", { kind: ["available"], currency: "EUR" }],
])("by %s walk the organization's postings, and a member's those of the account", async (_by, query) => {
  for (const [{ actor }, index] of [
    [org.admin, "postings_organization"],
    [org.member, "postings_account"],
  ] as const) {
    const steps = await stepsOf(actor, query);
    expect(walked(steps)).toEqual([index]);
    expect(steps.filter((step) => /TEMP B-TREE|SCAN/.test(step))).toEqual([]);
  }
});

it("of a transaction are found without a scan", async () => {
  const steps = await stepsOf(org.admin.actor, { transaction_id: earned });
  expect(steps.filter((step) => /SCAN (postings|journals|transactions)/.test(step))).toEqual([]);
});
