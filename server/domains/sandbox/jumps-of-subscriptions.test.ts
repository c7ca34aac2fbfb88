// One jump of a sandbox clock equals many small ones, also for subscriptions in every state, and for installments.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { events, mails, paymentReminders, payments, subscriptions, transactions } from "@/db/tables";
import { cancelSubscription, pauseSubscription } from "@/server/domains/subscriptions/operations/change";
import { dayMs } from "@/server/kit/limits";
import { runJobs } from "@/test/jobs";
import { expectSoundLedger } from "@/test/money";
import { ask, card, goodCard, payPart } from "@/test/payer";
import { cyclesOf, subscribe } from "@/test/subscriber";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { sandboxClock } from "./operations/clock";
import { moveSandboxClock } from "./operations/move-clock";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

/** The days of the journey. */
const days = 45;
const week = { interval: "week", interval_count: 1 } as const;
const trial = { ...week, trial_days: 10 };
const declined = card("4000000000000341");
const planned = 3000;

/** An organization with subscriptions that time leads to every state, told apart by their amounts, and with a plan. */
async function newOrganization(): Promise<TestOrganization> {
  const organization = await world.organization();
  const { actor } = organization.member;
  const inDays = (count: number) => new Date(world.clock.now() + count * dayMs).toISOString();
  // The limits on mails count in real time, so each customer has an address of its own.
  const customerOf = (amount: number) => ({ name: "Grace", email: `${amount}.${organization.id}@example.com` });
  const begin = async (amount: number, subscription: object, method = goodCard) =>
    (
      await subscribe(
        world,
        actor,
        { amount, customer: customerOf(amount), subscription: subscription as typeof week },
        method,
      )
    ).id;
  const pause = (subscription_id: string, count: number) =>
    world.call(pauseSubscription, actor, { subscription_id, resume_at: inDays(count) });
  await begin(1001, week);
  await begin(1002, { ...week, cycles: 3 });
  await begin(1003, week, declined);
  await begin(1004, trial);
  await begin(1005, trial, declined);
  await pause(await begin(1006, week), 17.3);
  const ending = await begin(1007, { interval: "month", interval_count: 1 });
  await world.call(cancelSubscription, actor, { subscription_id: ending, at: "period_end" });
  await begin(1008, { interval: "day", interval_count: 1, cycles: 9 });
  await pause(await begin(1009, trial), 5);
  await pause(await begin(1010, week, declined), 9);
  const installments = [5, 15, 25].map((count) => ({ amount: planned / 3, due_at: inDays(count) }));
  const terms = { installments, expires_at: inDays(40), reminders: { offsets_days: [-2, 1] } };
  const plan = await ask(world, actor, { amount: planned, customer: customerOf(planned), ...terms });
  await payPart(world, plan.token, "next");
  return organization;
}

/** The requests of a subscription, or the plan, with what was tried and mailed, without ids and real times. */
async function requestsSeen(rows: (typeof payments.$inferSelect)[]) {
  const q = world.runtime.db.read;
  const seen = [];
  for (const { id, status, createdAt, paidAt, canceledAt, dueAt } of rows) {
    const tried = await q
      .select()
      .from(transactions)
      .where(eq(transactions.paymentId, id))
      .orderBy(transactions.createdAt);
    const sent = await q.select().from(mails).where(eq(mails.paymentId, id));
    const happened = await q.select().from(events).where(eq(events.objectId, id)).orderBy(events.sequence);
    const planOf = q.select().from(paymentReminders).where(eq(paymentReminders.paymentId, id));
    const reminders = await planOf.orderBy(paymentReminders.offsetDays);
    seen.push({
      ...{ status, createdAt, paidAt, canceledAt, dueAt },
      tried: tried.map((one) => [one.status, one.createdAt, one.settledAt]),
      mails: sent.map(({ kind }) => kind).sort(),
      events: happened.map(({ type, createdAt: at }) => [type, at]),
      reminders: reminders.map(({ paymentId: _payment, mailId: _mail, ...one }) => one),
    });
  }
  return seen;
}

/** Own to one organization, or how often a row was written. */
const own = [
  ...[
    "id",
    "organizationId",
    "accountId",
    "customerId",
    "methodId",
    "attemptId",
    "firstPaymentId",
    "latestPaymentId",
    "changedAt",
  ],
  ...["version"],
];

async function seenOf({ id }: TestOrganization) {
  const q = world.runtime.db.read;
  const seen: Record<number, object> = {};
  for (const row of await q.select().from(subscriptions).where(eq(subscriptions.organizationId, id))) {
    const of = q.select().from(payments).where(eq(payments.subscriptionId, row.id));
    const happened = await q.select().from(events).where(eq(events.objectId, row.id)).orderBy(events.sequence);
    seen[row.amount] = {
      ...Object.fromEntries(Object.entries(row).filter(([name]) => !own.includes(name))),
      events: happened.map(({ type, createdAt }) => [type, createdAt]),
      cycles: (await cyclesOf(world, row.id)).map((one) => [one.cycle, one.periodStart, one.paidAt, one.isMissed]),
      requests: await requestsSeen(await of.orderBy(payments.createdAt)),
    };
  }
  const all = await q.select().from(payments).where(eq(payments.organizationId, id));
  seen[planned] = { requests: await requestsSeen(all.filter(({ amount }) => amount === planned)) };
  return seen;
}

/** Moves the clock. A worker ends an advance that takes longer than a call waits. */
async function advance({ admin }: TestOrganization, by: { advance: string } | { set: string }): Promise<void> {
  let { running } = await world.call(moveSandboxClock, admin.actor, by);
  while (running) {
    await runJobs(world);
    ({ running } = await world.call(sandboxClock, admin.actor, {}));
  }
}

it("one jump equals many small ones, for subscriptions and installments", async () => {
  const jumped = await newOrganization();
  await advance(jumped, { advance: `P${days}D` });
  const one = await seenOf(jumped);
  const stepped = await newOrganization();
  const steps = ["PT1S", "PT20M", "P1D", "PT23H", "P3D", "PT1H30M", "P4D", "P9DT4H", "PT13H", "P1D", "P2D", "P7D"];
  for (const step of steps) await advance(stepped, { advance: step });
  const set = new Date(world.clock.now() + days * dayMs).toISOString();
  await advance(stepped, { set });
  const many = await seenOf(stepped);
  for (const [amount, expected] of Object.entries(one))
    expect([amount, many[Number(amount)]]).toEqual([amount, expected]);
  const texts = JSON.stringify(one);
  for (const part of ["completed", "payment_failed", "trial_ending", "renewal_failed", "payment_reminder", "resumed"]) {
    expect(texts).toContain(part);
  }
}, 120_000);
