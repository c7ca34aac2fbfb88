// A storm repeats the provider's events: whatever their order and number, nothing is posted or announced twice.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { events, journals, mails, organizations, sandboxClocks, transactions } from "@/db/tables";
import { capturePayment } from "@/server/domains/payments/operations/capture";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { dayMs, limits } from "@/server/kit/limits";
import { runJobs } from "@/test/jobs";
import { earn, expectSoundLedger } from "@/test/money";
import { ask, card, goodCard, payWith, type RequestFields, transactionsOf } from "@/test/payer";
import { forgetFault, planFault } from "@/test/provider-faults";
import { moveClock } from "@/test/sandbox-clock";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { stormEvents } from "./operations/storm";

let world: World;
let acme: TestOrganization;
let admin: TestOrganization["admin"]["actor"];
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  acme = await world.organization();
  admin = acme.admin.actor;
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

async function paidWith(typed: typeof goodCard, fields: RequestFields = {}): Promise<string> {
  const { payment, token } = await ask(world, acme.member.actor, fields);
  await payWith(world, token, typed);
  return payment.payment_id;
}

/** Everything that the organization's money has left, without the times at which rows were locked. */
async function records() {
  const q = world.runtime.db.read;
  return {
    transactions: await q.select().from(transactions).where(eq(transactions.organizationId, acme.id)),
    journals: await q.select().from(journals).where(eq(journals.organizationId, acme.id)),
    events: await q.select().from(events).where(eq(events.organizationId, acme.id)),
    mails: await q.select().from(mails).where(eq(mails.organizationId, acme.id)),
  };
}

it.each([true, false])("changes nothing, with shuffle: %s", async (shuffle) => {
  const ids = [
    await paidWith(goodCard),
    await paidWith(card("4000000000000002")),
    await paidWith(goodCard, { capture_method: "manual" }),
    await paidWith(goodCard, { capture_method: "manual" }),
    await paidWith(card("4000002760003184")),
  ];
  await world.call(capturePayment, acme.member.actor, { payment_id: ids[3] ?? "", amount: 500 });
  await world.call(refundPayment, acme.member.actor, { payment_id: ids[0] ?? "", amount: 300 });
  await earn(world, acme.member, 700);
  await runJobs(world);
  const before = await records();
  const result = await world.call(stormEvents, admin, { duplicates: 5, shuffle });
  expect(result).toEqual({ transactions: 6, sent: 30, changed: 0 });
  expect(await records()).toEqual(before);
});

it("brings no answer before its time", async () => {
  const lost = await paidWith({ ...goodCard, card_number: troubledCard, security_code: lostAnswerCode });
  expect(await world.call(stormEvents, admin, {})).toEqual({ transactions: 0, sent: 0, changed: 0 });
  expect(await transactionsOf(world, lost)).toMatchObject([{ status: "processing" }]);
  world.clock.advance(5_000);
  // The event itself settles the payment; its repetitions change nothing.
  expect(await world.call(stormEvents, admin, {})).toEqual({ transactions: 1, sent: 3, changed: 0 });
  expect(await transactionsOf(world, lost)).toMatchObject([{ status: "succeeded" }]);
});

it("changes nothing of a hold that was found only after its end", async () => {
  const lost = { ...goodCard, card_number: troubledCard, security_code: lostAnswerCode };
  const held = await paidWith(lost, { capture_method: "manual" });
  // The clock has moved, and nothing has carried out what became due.
  await world.runtime.db.write(async (tx) => {
    const change = { offsetMs: (limits.captureDays + 1) * dayMs };
    await tx.update(sandboxClocks).set(change).where(eq(sandboxClocks.organizationId, acme.id));
  });
  expect(await world.call(stormEvents, admin, {})).toEqual({ transactions: 1, sent: 3, changed: 0 });
  expect(await transactionsOf(world, held)).toMatchObject([{ status: "expired", amountReleased: 1250 }]);
});

it("concerns the latest transactions of one organization", async () => {
  const other = await world.organization();
  const { token } = await ask(world, other.member.actor);
  await payWith(world, token);
  expect(await world.call(stormEvents, admin, {})).toMatchObject({ transactions: 0 });
  await paidWith(goodCard);
  world.clock.advance(1);
  for (let made = 1; made < limits.storm.transactions; made++) await earn(world, acme.member, 1);
  expect(await world.call(stormEvents, admin, {})).toMatchObject({ transactions: 1 });
  await earn(world, acme.member, 1);
  expect(await world.call(stormEvents, admin, {})).toMatchObject({ transactions: 0 });
});

it("waits for an advance of the clock, which carries each act out at its own instant", async () => {
  const held = await paidWith(goodCard, { capture_method: "manual" });
  const start = world.clock.now();
  await world.runtime.db.write(async (tx) => {
    const change = { offsetMs: 30 * dayMs, isRunning: true };
    await tx.update(sandboxClocks).set(change).where(eq(sandboxClocks.organizationId, acme.id));
  });
  const storming = world.call(stormEvents, admin, { duplicates: 2 });
  await moveClock(world, admin, "PT0S");
  expect(await storming).toEqual({ transactions: 1, sent: 2, changed: 0 });
  expect(await transactionsOf(world, held)).toMatchObject([
    { status: "expired", settledAt: start + limits.captureDays * dayMs },
  ]);
});

it("can race with a worker and a refund", async () => {
  const id = await paidWith(goodCard);
  const [first] = await Promise.all([
    world.call(stormEvents, admin, { duplicates: 10 }),
    runJobs(world),
    world.call(refundPayment, acme.member.actor, { payment_id: id }),
  ]);
  expect(first.sent).toBe(10 * first.transactions);
  const rows = await transactionsOf(world, id);
  expect(rows.map(({ type, status }) => `${type} ${status}`).sort()).toEqual(["payment refunded", "refund succeeded"]);
});

it("is bounded, for admins only, and does not exist in live mode", async () => {
  const call = (given: object, actor = admin) => refusalOf(world.call(stormEvents, actor, given));
  expect(await call({ duplicates: 0 })).toBe("invalid_request");
  expect(await call({ duplicates: limits.storm.duplicates + 1 })).toBe("invalid_request");
  expect(await call({ shuffle: "yes" })).toBe("invalid_request");
  expect(await call({}, acme.member.actor)).toBe("insufficient_permissions");
  await world.runtime.db.write(async (tx) => {
    await tx.update(organizations).set({ mode: "live" }).where(eq(organizations.id, acme.id));
  });
  expect(await call({})).toBe("unknown_path");
});

it("comes one at a time: another one of the organization is refused until it has ended", async () => {
  for (let i = 0; i < 3; i++) await paidWith(goodCard);
  const storm = (actor = admin) => world.call(stormEvents, actor, { duplicates: 5, shuffle: true });
  const other = await world.organization();
  const results = await Promise.allSettled([storm(), storm(), storm(), storm(other.admin.actor)]);
  const refusals = results.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
  expect(refusals).toEqual(["storm_running", "storm_running"]);
  expect(await storm()).toMatchObject({ changed: 0 });
});

it("whose process died keeps others out for a minute", async () => {
  const stormUntil = world.clock.now() + limits.storm.leaseMs;
  await world.call(stormEvents, admin, {});
  await world.runtime.db.write(async (tx) => {
    await tx.update(sandboxClocks).set({ stormUntil }).where(eq(sandboxClocks.organizationId, acme.id));
  });
  expect(await refusalOf(world.call(stormEvents, admin, {}))).toBe("storm_running");
  world.clock.advance(limits.storm.leaseMs);
  expect(await world.call(stormEvents, admin, {})).toMatchObject({ changed: 0 });
});

it("that fails is over: the next one is not refused", async () => {
  await paidWith(goodCard);
  planFault("lookup", "reset", "before");
  await expect(world.call(stormEvents, admin, {})).rejects.toThrow();
  expect(forgetFault()).toBe(false);
  expect(await world.call(stormEvents, admin, {})).toMatchObject({ transactions: 1, changed: 0 });
});
