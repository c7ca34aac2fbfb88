// The event of a payment request that is overdue: once for each due date, at its instant, while it waits for its payer.
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { events, jobs } from "@/db/tables";
import { dayMs } from "@/server/kit/limits";
import { eventTypesOf } from "@/test/events";
import { pass, runJobs } from "@/test/jobs";
import { create, expectSoundLedger } from "@/test/money";
import { ask, card, payPart, payWith, type RequestFields } from "@/test/payer";
import { moveClock } from "@/test/sandbox-clock";
import { simulate } from "@/test/simulating";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { cancelPayment } from "./operations/cancel";
import { finalizePayment } from "./operations/finalize";
import { updatePaymentRequest } from "./operations/update";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  acme = await world.organization();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const inDays = (days: number) => new Date(world.clock.now() + days * dayMs).toISOString();
const invoice = (fields: RequestFields = {}) =>
  ask(world, acme.member.actor, { type: "invoice", due_at: inDays(10), ...fields });

/** When the payment request was announced as overdue. */
async function announced(objectId: string): Promise<number[]> {
  const isOurs = and(eq(events.objectId, objectId), eq(events.type, "payment.overdue"));
  return (await world.runtime.db.read.select().from(events).where(isOurs)).map(({ createdAt }) => createdAt);
}

const jobOf = async (objectId: string) =>
  (
    await world.runtime.db.read
      .select()
      .from(jobs)
      .where(eq(jobs.key, `payments.overdue:${objectId}`))
  )[0];

it("is announced once, when the due date has passed", async () => {
  const { payment } = await invoice();
  const { payment_id, due_at } = payment;
  await pass(world, 10 * dayMs);
  expect(await announced(payment_id)).toEqual([]);
  await pass(world, 1);
  expect(await announced(payment_id)).toEqual([Date.parse(due_at ?? "") + 1]);
  await pass(world, 30 * dayMs);
  expect(await announced(payment_id)).toHaveLength(1);
  expect(await jobOf(payment_id)).toBeUndefined();
});

it("is announced at its own instant when the sandbox clock jumps over it", async () => {
  const { payment } = await invoice();
  await moveClock(world, acme.admin.actor, "P40D");
  await runJobs(world);
  expect(await announced(payment.payment_id)).toEqual([Date.parse(payment.due_at ?? "") + 1]);
});

it("follows a due date that moves, and is announced again for a later one", async () => {
  const { payment_id } = (await invoice()).payment;
  const move = (days: number) =>
    world.call(updatePaymentRequest, acme.member.actor, { payment_id, due_at: inDays(days) });
  await move(20);
  await pass(world, 11 * dayMs);
  expect(await announced(payment_id)).toEqual([]);
  await pass(world, 10 * dayMs);
  expect(await announced(payment_id)).toHaveLength(1);
  await move(5);
  await pass(world, 6 * dayMs);
  expect(await announced(payment_id)).toHaveLength(2);
});

it("is not announced of a draft, nor once it is paid or canceled", async () => {
  const draft = (await invoice({ draft: true })).payment.payment_id;
  expect(await jobOf(draft)).toBeUndefined();
  await world.call(finalizePayment, acme.member.actor, { payment_id: draft });
  expect(await jobOf(draft)).toBeDefined();
  await world.call(cancelPayment, acme.member.actor, { payment_id: draft });
  const { payment, token } = await invoice();
  await payWith(world, token);
  for (const id of [draft, payment.payment_id]) expect(await jobOf(id)).toBeUndefined();
  await pass(world, 11 * dayMs);
  for (const id of [draft, payment.payment_id]) expect(await announced(id)).toEqual([]);
});

it("is not announced if the payment request expires when it is due", async () => {
  const at = inDays(10);
  const { payment_id } = (await invoice({ due_at: at, expires_at: at })).payment;
  await pass(world, 11 * dayMs);
  expect(await announced(payment_id)).toEqual([]);
  expect(await eventTypesOf(world, payment_id)).toContain("payment.expired");
});

it("waits for an open dispute of a part, and declined cards announce nothing again", async () => {
  const { payment, token } = await invoice({ allow_partial: true, minimum_amount: 100 });
  const { payment_id } = payment;
  await payPart(world, token, "own", 500);
  await simulate(world, acme, payment_id, "dispute");
  await pass(world, 11 * dayMs);
  expect(await announced(payment_id)).toEqual([]);
  await simulate(world, acme, payment_id, "dispute_won");
  await runJobs(world);
  expect(await announced(payment_id)).toHaveLength(1);
  await payPart(world, token, "all", null, card("4000000000000002"));
  await runJobs(world);
  expect(await eventTypesOf(world, payment_id)).toContain("payment.attempt_failed");
  expect(await announced(payment_id)).toHaveLength(1);
});

it("is announced for each installment that is not paid in time", async () => {
  const { payment_id } = (await ask(world, acme.member.actor, { amount: 1250, installments: plan() })).payment;
  const pay = (amount: number) =>
    create(world, acme.member.actor, { type: "payment", payment_id, amount, currency: "EUR" });
  await pass(world, 6 * dayMs);
  expect(await announced(payment_id)).toHaveLength(1);
  await pay(450);
  await pass(world, 5 * dayMs);
  expect(await announced(payment_id)).toHaveLength(1);
  await pass(world, 5 * dayMs);
  expect(await announced(payment_id)).toHaveLength(2);
  await pay(800);
  await pass(world, 20 * dayMs);
  expect(await announced(payment_id)).toHaveLength(2);
});

const plan = () => [5, 15, 25].map((days, index) => ({ amount: [450, 400, 400][index] ?? 0, due_at: inDays(days) }));

it("is announced for each installment, although nobody pays any", async () => {
  const installments = plan();
  const { payment_id } = (await ask(world, acme.member.actor, { amount: 1250, installments })).payment;
  await pass(world, 30 * dayMs);
  const isOurs = and(eq(events.objectId, payment_id), eq(events.type, "payment.overdue"));
  const rows = await world.runtime.db.read.select().from(events).where(isOurs);
  const said = rows.map(({ data }) => ({ due_at: data.due_at, amount: data.amount_overdue }));
  expect(said).toEqual(installments.map(({ amount, due_at }) => ({ due_at, amount })));
});

it("is announced for the last installment although the one before was announced late", async () => {
  const { payment, token } = await ask(world, acme.member.actor, { amount: 1250, installments: plan() });
  const { payment_id } = payment;
  await payPart(world, token, "next", null);
  await simulate(world, acme, payment_id, "dispute");
  await pass(world, 20 * dayMs);
  await simulate(world, acme, payment_id, "dispute_won");
  await runJobs(world);
  expect(await announced(payment_id)).toHaveLength(1);
  await create(world, acme.member.actor, { type: "payment", payment_id, amount: 400, currency: "EUR" });
  await pass(world, 10 * dayMs);
  expect(await announced(payment_id)).toHaveLength(2);
});
