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
  const { actor } = member;
  const [one, other] = [{ email: "grace@proof.example" }, { email: "hopper@proof.example" }];
  await subscribe(world, actor, { customer: one });
  const trial = { ...monthly, trial_days: 5 };
  await subscribe(world, actor, { amount: 700, subscription: trial, customer: other });
  await moveClock(world, admin.actor, "P3M");
  raw = await openRawAccess(world.database.url, [
    "payments",
    "subscriptions",
    "subscription_cycles",
    "stored_methods",
    "customers",
  ]);
});
afterEach(() => raw.restore());
afterAll(async () => {
  await raw.close();
  await world.close();
});

const verify = () => verifyLedger(world.database.url, world.runtime.keys);

const card = "method_id names";
const status = "The status does not agree";
const attempt = "attempt_id names";
/** A charge of the subscription, or of another one. */
const chargeOf = (sign: "=" | "<>") =>
  `(select t.id from transactions t join subscription_cycles c on c.payment_id = t.payment_id where c.subscription_id ${sign} subscriptions.id limit 1)`;

it("confirms sound subscriptions", async () => {
  expect(await verify()).toMatchObject({ ok: true });
});

it("knows the customer that another one was merged into", async () => {
  const survivor = "(select customer_id from subscriptions where trial_ends_at is not null)";
  const merged = "(select customer_id from subscriptions where trial_ends_at is null)";
  await raw.run(`update customers set merged_into = ${survivor} where id = ${merged}`);
  await raw.run(`update subscriptions set customer_id = ${survivor}`);
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
  ["a card that is not stored", "update stored_methods set status = 'failed' where transaction_id is not null", card],
  ["the card of another account", "update stored_methods set account_id = 'acct_other'", card],
  ["the card of another customer", "update stored_methods set customer_id = 'cus_other'", card],
  ["a card without row", "update subscriptions set method_id = 'sme_none'", card],
  [
    "a first payment request that does not name it",
    "update payments set subscription_id = null where is_trial",
    "first_payment_id names",
  ],
  [
    "the latest payment request of another one",
    "update subscriptions set latest_payment_id = (select o.latest_payment_id from subscriptions o where o.id <> subscriptions.id)",
    "latest_payment_id names",
  ],
  [
    "an old payment request as the latest",
    "update subscriptions set latest_payment_id = first_payment_id",
    "latest_payment_id does not name the newest",
  ],
  ["more cycles than were agreed", "update subscriptions set cycles = 1", "More cycles"],
  ["an end while it is active", "update subscriptions set ended_at = updated_at", status],
  ["a reason while it is active", "update subscriptions set end_reason = 'completed'", status],
  ["a canceled one that did not end", "update subscriptions set status = 'canceled', canceled_at = 1", status],
  ["an ended one without reason", "update subscriptions set status = 'ended', ended_at = 1", status],
  ["a charge that has ended", `update subscriptions set attempt_id = ${chargeOf("=")}`, attempt],
  ["a charge of another one", `update subscriptions set attempt_id = ${chargeOf("<>")}`, attempt],
  ["a charge that does not exist", "update subscriptions set attempt_id = 'txn_none'", attempt],
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
