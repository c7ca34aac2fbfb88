// The counts of the tabs when there are more payment requests than are counted.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Actor } from "@/server/kit/context";
import { ask } from "@/test/payer";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { countPayments } from "./counts";

vi.mock("@/server/kit/limits", async (original) => {
  const { limits, ...rest } = await original<typeof import("@/server/kit/limits")>();
  return { ...rest, limits: { ...limits, look: { ...limits.look, countWindow: 4, least: 1 }, tabsCounted: 4 } };
});

let world: World;
let org: TestOrganization;
const counts = (actor: Actor) => world.call(countPayments, actor, {});
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
});
afterAll(() => world.close());

it("counts only the newest payment requests and marks the counts incomplete, also without a filter", async () => {
  const due_at = new Date(world.clock.now() - 1).toISOString();
  for (let n = 0; n < 3; n++) await ask(world, org.member.actor, { type: "invoice", due_at });
  const three = { open: 3, all: 3, is_complete: true, overdue: 3, is_overdue_complete: true };
  expect(await counts(org.admin.actor)).toMatchObject(three);
  expect(await counts(org.member.actor)).toMatchObject(three);
  for (let n = 0; n < 3; n++) await ask(world, org.member.actor, { type: "invoice", due_at });
  const four = { open: 4, all: 4, is_complete: false, overdue: 4, is_overdue_complete: false };
  expect(await counts(org.admin.actor)).toMatchObject(four);
  expect(await counts(org.member.actor)).toMatchObject(four);
});
