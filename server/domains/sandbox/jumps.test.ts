// One jump of a sandbox clock equals many small ones, also if the process dies on the way or a worker runs beside it.
import { eq, isNotNull } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { jobs, payments, sandboxClocks } from "@/db/tables";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { dayMs, hourMs } from "@/server/kit/limits";
import { runJobs, runJobsOnce } from "@/test/jobs";
import { expectSoundLedger } from "@/test/money";
import { ask, card, goodCard, payWith } from "@/test/payer";
import { moveClock, recordsOf } from "@/test/sandbox-clock";
import { openedWith, openWorld, type TestOrganization, type World } from "@/test/world";
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
const days = 40;

/** An organization with something of each kind that time changes. */
async function newOrganization(): Promise<TestOrganization> {
  const organization = await world.organization();
  const { actor } = organization.member;
  const inDays = (count: number) => new Date(world.clock.now() + count * dayMs).toISOString();
  // The limits on mails count in real time, so each request has a recipient of its own.
  const customerOf = (amount: number) => ({ name: "Grace", email: `${amount}.${organization.id}@example.com` });
  const reminded = (amount: number, expires: number) =>
    ask(world, actor, {
      amount,
      expires_at: inDays(expires),
      customer: customerOf(amount),
      reminders: { offsets_days: [-5, -2] },
    });
  await reminded(1001, 10);
  // Two that end at the same instant.
  await reminded(1002, 20);
  await reminded(1003, 20);
  const due = { due_at: inDays(6), customer: customerOf(1004), reminders: { offsets_days: [-1, 3] } };
  await ask(world, actor, { type: "invoice", amount: 1004, expires_at: inDays(90), ...due });
  const held = await ask(world, actor, { amount: 1005, capture_method: "manual", expires_at: inDays(30) });
  await payWith(world, held.token, goodCard);
  const confirmed = await ask(world, actor, { amount: 1006, expires_at: inDays(2) });
  await payWith(world, confirmed.token, card("4000002760003184"));
  const lost = await ask(world, actor, { amount: 1007 });
  await payWith(world, lost.token, { ...goodCard, card_number: troubledCard, security_code: lostAnswerCode });
  for (const [amount, number] of [
    [1008, "4000000000007726"],
    [1009, "4000000000005126"],
  ] as const) {
    const paid = await ask(world, actor, { amount });
    await payWith(world, paid.token, card(number));
    await world.call(refundPayment, actor, { payment_id: paid.payment.payment_id });
  }
  return organization;
}

const offsetOf = async ({ admin }: TestOrganization) => (await world.call(sandboxClock, admin.actor, {})).offset_ms;

/** The records of an organization whose clock was moved once. */
async function afterOneJump() {
  const { id, admin } = await newOrganization();
  await moveClock(world, admin.actor, `P${days}D`);
  return recordsOf(world, id);
}

it("equals many small ones", async () => {
  const jumped = await afterOneJump();
  const stepped = await newOrganization();
  const steps = ["PT1S", "PT20M", "P1D", "PT23H", "P6D", "PT1H30M", "P10D", "P9DT4H"];
  for (const step of steps) await moveClock(world, stepped.admin.actor, step);
  const set = new Date(world.clock.now() + days * dayMs).toISOString();
  await world.call(moveSandboxClock, stepped.admin.actor, { set });
  expect(await offsetOf(stepped)).toBe(days * dayMs);
  expect(await recordsOf(world, stepped.id)).toEqual(jumped);
  for (const part of ["expired", "payment.reminder_sent", "payment_reminder", "authorization_released"]) {
    expect(JSON.stringify(jumped)).toContain(part);
  }
});

it("equals the same days of real time with a worker, but for delays", async () => {
  const jumped = await afterOneJump();
  const lived = await newOrganization();
  for (let hour = 0; hour < days * 24; hour += 6) {
    world.clock.advance(6 * hourMs);
    await runJobs(world);
  }
  const rows = await world.runtime.db.read.select().from(payments).where(eq(payments.organizationId, lived.id));
  const statuses = (all: readonly Record<string, unknown>[] = []) =>
    all.map(({ amount, status }) => `${amount} ${status}`).sort();
  expect(statuses(rows)).toEqual(statuses(jumped.payments));
});

it("continues in a worker after a crash at any act, and no act is done twice", async () => {
  const jumped = await afterOneJump();
  for (const acts of [0, 1, 2, 5, 9, 14]) {
    const { id, admin } = await newOrganization();
    const dying = dyingAfter(3 + 3 * acts);
    await expect(dying.call(moveSandboxClock, admin.actor, { advance: `P${days}D` })).rejects.toThrow();
    expect(await world.call(sandboxClock, admin.actor, {})).toMatchObject({
      running: true,
      offset_ms: days * dayMs,
    });
    await endLeases();
    await runJobs(world);
    expect(await world.call(sandboxClock, admin.actor, {})).toMatchObject({ running: false });
    expect(await recordsOf(world, id)).toEqual(jumped);
  }
});

it("can race with a worker and with another advance", async () => {
  const jumped = await afterOneJump();
  const { id, admin } = await newOrganization();
  const worker = (async () => {
    while ((await offsetOf({ admin } as TestOrganization)) < days * dayMs) await runJobsOnce(world);
    for (let round = 0; round < 20; round++) await runJobsOnce(world);
  })();
  const parts = [`P${days / 2}D`, `P${days / 4}D`, `P${days / 4}D`];
  await Promise.all(parts.map((advance) => world.call(moveSandboxClock, admin.actor, { advance })));
  await worker;
  const [clock] = await world.runtime.db.read.select().from(sandboxClocks).where(eq(sandboxClocks.organizationId, id));
  expect(clock).toMatchObject({ offsetMs: days * dayMs, isRunning: false });
  expect(await recordsOf(world, id)).toEqual(jumped);
});

/** The world of a process whose database is gone after some transactions of the call. */
function dyingAfter(transactions: number): World {
  const { runtime } = world;
  let left = transactions;
  const write: typeof runtime.db.write = (work) => {
    if (left-- <= 0) throw new Error("The process is dead.");
    return runtime.db.write(work);
  };
  return openedWith(world, { ...runtime, db: { ...runtime.db, write } });
}

/** Ends the leases of a dead process. */
const endLeases = (): Promise<void> =>
  world.runtime.db.write(async (tx) => {
    await tx.update(jobs).set({ lease: null, runAt: world.clock.now() }).where(isNotNull(jobs.lease));
  });
