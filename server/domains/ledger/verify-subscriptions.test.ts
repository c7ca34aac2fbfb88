// The proof names a cycle that its payment request contradicts, and counts that the cycles contradict.
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { openRawAccess, type RawAccess } from "@/test/raw-access";
import { moveClock } from "@/test/sandbox-clock";
import { monthly, subscribe } from "@/test/subscriber";
import { openWorld, type World } from "@/test/world";
import { verifyLedger } from "./verify";

let world: World;
let raw: RawAccess;

beforeAll(async () => {
  world = await openWorld();
  const { admin, member } = await world.organization();
  await subscribe(world, member.actor);
  await subscribe(world, member.actor, { amount: 700, subscription: { ...monthly, trial_days: 5 } });
  await moveClock(world, admin.actor, "P3M");
  raw = await openRawAccess(world.database.url, ["payments", "subscriptions", "subscription_cycles", "stored_methods"]);
});
afterEach(() => raw.restore());
afterAll(async () => {
  await raw.close();
  await world.close();
});

const verify = () => verifyLedger(world.database.url, world.runtime.keys);

it("confirms sound subscriptions", async () => {
  expect(await verify()).toMatchObject({ ok: true });
});

it.each([
  ["a cycle that was removed", "delete from subscription_cycles where cycle = 2", "cycles exist and"],
  ["too many cycles done", "update subscriptions set cycles_done = 1", "cycles_done 1"],
  ["another amount", "update subscription_cycles set amount = 1 where cycle = 2", "Cycle 2 and its payment request"],
  ["a cycle that was paid at another time", "update subscription_cycles set paid_at = paid_at + 1", "do not agree"],
  ["a period without length", "update subscription_cycles set period_end = period_start", "do not agree"],
  [
    "periods that overlap",
    "update subscription_cycles set period_end = period_end + 90000000 where cycle = 1",
    "Cycle 2 begins before",
  ],
  ["another subscription", "update payments set subscription_id = null where is_renewal", "do not agree"],
] as const)("names %s", async (_name, change, message) => {
  await raw.run(change);
  const result = await verify();
  expect(result.ok ? "nothing" : result.fault).toMatchObject({ check: "subscription" });
  expect(result.ok ? "" : result.fault.message).toContain(message);
});

it("names a trial whose card is not stored", async () => {
  await raw.run("update stored_methods set status = 'failed' where transaction_id is null");
  const result = await verify();
  expect(result.ok ? "" : result.fault.message).toContain("The status is paid, but the transactions say");
});
