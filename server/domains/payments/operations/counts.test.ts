// The counts of the tabs when there are more payment requests than are counted in one query.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Actor } from "@/server/kit/context";
import { ask } from "@/test/payer";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { cancelPayment } from "./cancel";
import { countPayments } from "./counts";

vi.mock("@/server/kit/limits", async (original) => {
  const { limits, ...rest } = await original<typeof import("@/server/kit/limits")>();
  const look = { ...limits.look, countWindow: 4, least: 1 };
  return { ...rest, limits: { ...limits, look, totals: { ...limits.totals, exact: 4, matches: 1_000, keptMs: 0 } } };
});

let world: World;
let org: TestOrganization;
const counts = (actor: Actor) => world.call(countPayments, actor, {});
beforeAll(async () => {
  world = await openWorld();
  org = await world.organization();
});
afterAll(() => world.close());

it("counts each tab by itself, and says which of the numbers are estimates", async () => {
  const due_at = new Date(world.clock.now() - 1).toISOString();
  const invoice = async () => (await ask(world, org.member.actor, { type: "invoice", due_at })).payment.payment_id;
  for (let n = 0; n < 3; n++) await invoice();
  const three = { open: 3, canceled: 0, all: 3, overdue: 3, estimates: [] };
  expect(await counts(org.admin.actor)).toMatchObject(three);
  expect(await counts(org.member.actor)).toMatchObject(three);
  for (let n = 0; n < 2; n++) await world.call(cancelPayment, org.member.actor, { payment_id: await invoice() });
  const five = { open: 3, canceled: 2, paid: 0, overdue: 3, estimates: ["all"] };
  for (const { actor } of [org.admin, org.member]) {
    const counted = await counts(actor);
    expect(counted).toMatchObject(five);
    // At least what was counted until then.
    expect(counted.all).toBeGreaterThanOrEqual(5);
  }
});
