// Two years of a sandbox organization in seconds, with everything that time brings. The ledger is sound after each month.
import { and, asc, eq, isNotNull, lte } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { events, jobs, payments, transactions } from "@/db/tables";
import { statusAt } from "@/server/domains/payments/derive";
import { capturePayment } from "@/server/domains/payments/operations/capture";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { dayMs } from "@/server/kit/limits";
import { expectSoundLedger } from "@/test/money";
import { ask, card, goodCard, payPart, payWith } from "@/test/payer";
import { moveClock } from "@/test/sandbox-clock";
import { openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
let acme: TestOrganization;
let now: number;
beforeAll(async () => {
  world = await openWorld();
  acme = await world.organization();
  now = world.clock.now();
});
afterAll(() => world.close());

const inDays = (days: number) => new Date(now + days * dayMs).toISOString();

/** What a bakery does in a month. */
async function liveOn(month: number): Promise<void> {
  const { actor } = acme.member;
  const customer = { name: "Grace", email: `${month}.${acme.id}@example.com` };
  await ask(world, actor, { expires_at: inDays(20), customer, reminders: { offsets_days: [-5, -1] } });
  const held = await ask(world, actor, { capture_method: "manual" });
  await payWith(world, held.token);
  const captured = await ask(world, actor, { capture_method: "manual" });
  await payWith(world, captured.token);
  await world.call(capturePayment, actor, { payment_id: captured.payment.payment_id, amount: 500 });
  const asked = await ask(world, actor);
  await payWith(world, asked.token, card("4000002760003184"));
  const lost = await ask(world, actor);
  await payWith(world, lost.token, { ...goodCard, card_number: troubledCard, security_code: lostAnswerCode });
  const returned = await ask(world, actor);
  await payWith(world, returned.token, card("4000000000005126"));
  await world.call(refundPayment, actor, { payment_id: returned.payment.payment_id });
  const disputed = await ask(world, actor);
  await payWith(world, disputed.token, card("4000000000000259"));
  const parts = await ask(world, actor, { allow_partial: true, minimum_amount: 100 });
  await payPart(world, parts.token, "own", 400);
}

it("pass in seconds, with expiries, lapsing authorizations, reminders and late answers", async () => {
  const { db } = world.runtime;
  const { id } = acme;
  for (let month = 0; month < 24; month++) {
    await liveOn(month);
    now = await moveClock(world, acme.admin.actor, "P1M");
    await expectSoundLedger(world);
    const rows = await db.read.select().from(payments).where(eq(payments.organizationId, id));
    expect(rows.filter((row) => statusAt(row, now) !== row.status)).toEqual([]);
    const due = and(eq(jobs.organizationId, id), isNotNull(jobs.dueAt), lte(jobs.dueAt, now));
    expect(await db.read.select().from(jobs).where(due)).toEqual([]);
  }
  expect(new Date(now).toISOString()).toBe("2028-11-20T12:00:00.000Z");
  const rows = await db.read.select().from(payments).where(eq(payments.organizationId, id));
  const count = (status: string) => rows.filter((row) => row.status === status).length;
  expect(count("disputed")).toBe(24);
  // Each month one expires unpaid, one after a part, one after a confirmation that never came, and one lapses.
  expect(["expired", "partially_paid", "paid"].map(count)).toEqual([4 * 24, 0, 3 * 24]);
  const moved = await db.read.select().from(transactions).where(eq(transactions.organizationId, id));
  expect(moved.filter(({ status }) => ["processing", "requires_action", "pending"].includes(status))).toEqual([]);
  const happened = await db.read
    .select()
    .from(events)
    .where(eq(events.organizationId, id))
    .orderBy(asc(events.objectId), asc(events.sequence));
  const backwards = happened.filter((event, i) => {
    const before = happened[i - 1];
    return before?.objectId === event.objectId && before.createdAt > event.createdAt;
  });
  expect(backwards).toEqual([]);
  expect(happened.filter(({ type }) => type === "payment.reminder_sent")).toHaveLength(48);
}, 120_000);
