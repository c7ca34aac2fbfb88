// Rows as earlier versions derived them: a job recomputes them, so that all invariants hold after an upgrade.
import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { jobs, payments, transactions } from "@/db/tables";
import { schedule } from "@/server/domains/jobs/queue";
import { describeUpgrade } from "@/server/domains/jobs/upgrade-command";
import { runJobs } from "@/test/jobs";
import { create, expectSoundLedger } from "@/test/money";
import { ask, card, paymentRow, payWith, transactionsOf } from "@/test/payer";
import { expectOneTruth } from "@/test/payment-truth";
import { openWorld, type TestOrganization, type TestUser, type World } from "@/test/world";
import { expirePayment } from "./expire";
import { capturePayment } from "./operations/capture";
import { refundPayment } from "./operations/refund";
import type { PaymentRow } from "./store";

let world: World;
let acme: TestOrganization;
let member: TestUser;
beforeEach(async () => {
  world = await openWorld();
  acme = await world.organization();
  member = acme.member;
});
afterEach(() => world.close());

/** Runs the job that a migration schedules for each organization. */
async function upgrade(): Promise<void> {
  const { id } = acme;
  await world.runtime.db.write((db) =>
    schedule(
      { db, now: world.clock.now(), realNow: world.clock.now(), id: world.id },
      { kind: "payments.recompute", organizationId: id, objectId: id, afterMs: 0 },
    ),
  );
  await runJobs(world);
}

const upgradeJob = async () =>
  (await world.runtime.db.read.select().from(jobs).where(eq(jobs.kind, "payments.recompute")))[0];

const writeRow = (id: string, change: Partial<PaymentRow>): Promise<void> =>
  world.runtime.db.write(async (tx) => void (await tx.update(payments).set(change).where(eq(payments.id, id))));

/** A payment request for 12.50 of which 4 were paid offline and 1 was refunded. */
async function partlyRefunded(expiresAt?: number) {
  const expires_at = expiresAt === undefined ? undefined : new Date(expiresAt).toISOString();
  const { payment, token } = await ask(world, member.actor, { expires_at });
  const { payment_id } = payment;
  await create(world, member.actor, { type: "payment", payment_id, amount: 400, currency: "EUR" });
  await world.call(refundPayment, member.actor, { payment_id, amount: 100 });
  return { id: payment_id, token };
}

it("clears the end of an authorization that was captured", async () => {
  const { payment, token } = await ask(world, member.actor, { capture_method: "manual" });
  const { payment_id } = payment;
  await payWith(world, token);
  const { captureBefore } = await paymentRow(world, payment_id);
  await world.call(capturePayment, member.actor, { payment_id });
  await writeRow(payment_id, { captureBefore });
  await expect(expectSoundLedger(world)).rejects.toThrow("capture_before");
  await upgrade();
  await expectSoundLedger(world);
});

it("keeps the end of an authorization that is open", async () => {
  const { payment, token } = await ask(world, member.actor, { capture_method: "manual" });
  await payWith(world, token);
  const before = await paymentRow(world, payment.payment_id);
  await upgrade();
  expect(await paymentRow(world, payment.payment_id)).toEqual(before);
  expect(before.captureBefore).not.toBeNull();
});

it("shows a confirmation that a refund had hidden, and still expires the payment request on time", async () => {
  const expiresAt = world.clock.now() + 3_600_000;
  const { id, token } = await partlyRefunded(expiresAt);
  await payWith(world, token, card("4000002760003184"));
  expect((await paymentRow(world, id)).status).toBe("requires_action");
  await writeRow(id, { status: "partially_refunded", actionUrl: null });
  await expect(expectSoundLedger(world)).rejects.toThrow("status");
  await upgrade();
  expect(await paymentRow(world, id)).toMatchObject({ status: "requires_action", actionUrl: expect.any(String) });
  await expectSoundLedger(world);
  const [job] = await world.runtime.db.read
    .select()
    .from(jobs)
    .where(eq(jobs.key, `payments.expire:${id}`));
  expect(job?.runAt).toBe(expiresAt);
});

it("expires a payment request that a refund had kept open beyond its expiry", async () => {
  const { id } = await partlyRefunded(world.clock.now() + 1000);
  await writeRow(id, { updatedAt: world.clock.now() + 2000 });
  world.clock.advance(3000);
  await world.runtime.db.write(async (tx) => void (await tx.delete(jobs).where(eq(jobs.objectId, id))));
  await expect(expectSoundLedger(world)).rejects.toThrow("status");
  await upgrade();
  expect((await paymentRow(world, id)).status).toBe("expired");
  await expectSoundLedger(world);
});

/** A payment request whose hold was larger than its capture, since a part was paid offline meanwhile. */
async function capturedOfLarger() {
  const { payment, token } = await ask(world, member.actor, { capture_method: "manual" });
  const { payment_id } = payment;
  await payWith(world, token);
  const [hold] = await transactionsOf(world, payment_id);
  const isHold = eq(transactions.id, hold?.id ?? "");
  // Hides the hold, so that today's rules accept the offline payment as older versions did.
  const hide = (status: "authorized" | "failed") =>
    world.runtime.db.write(async (tx) => void (await tx.update(transactions).set({ status }).where(isHold)));
  await hide("failed");
  await create(world, member.actor, { type: "payment", payment_id, amount: 400, currency: "EUR" });
  await hide("authorized");
  world.clock.advance(1000);
  await world.call(capturePayment, member.actor, { payment_id });
  return payment_id;
}

it("shows no surplus if only the due part of a larger authorization was captured", async () => {
  const id = await capturedOfLarger();
  expect(await transactionsOf(world, id)).toContainEqual(
    expect.objectContaining({ provider: "sandbox", amountCaptured: 850, amountReleased: 400 }),
  );
  const right = { status: "paid", amountPaid: 1250, amountWaived: 0, amountOverpaid: 0 };
  expect(await paymentRow(world, id)).toMatchObject(right);
  await expectOneTruth(world, id);
  await expectSoundLedger(world);
  await writeRow(id, { amountWaived: 400, amountOverpaid: 400 });
  await expect(expectSoundLedger(world)).rejects.toThrow("amount_waived");
  await upgrade();
  expect(await paymentRow(world, id)).toMatchObject(right);
  await expectSoundLedger(world);
});

/** A paid request of which 400 were refunded by a version without surpluses. */
async function refundedBefore() {
  const { payment } = await ask(world, member.actor);
  const { payment_id } = payment;
  await create(world, member.actor, { type: "payment", payment_id, amount: 1250, currency: "EUR" });
  await world.call(refundPayment, member.actor, { payment_id, amount: 400 });
  const isRefund = and(eq(transactions.paymentId, payment_id), eq(transactions.type, "refund"));
  await world.runtime.db.write(
    async (tx) => void (await tx.update(transactions).set({ amountSurplus: null }).where(isRefund)),
  );
  return payment_id;
}

const surplusOf = async (id: string) =>
  (await transactionsOf(world, id))
    .filter(({ type }) => type === "refund")
    .sort((a, b) => b.amount - a.amount)
    .map((one) => one.amountSurplus);

/** Makes another payment of the request, as an earlier version allowed. */
async function payAgain(id: string, amount: number): Promise<void> {
  const row = (await transactionsOf(world, id)).find(({ type }) => type === "payment");
  const [amountAuthorized, amountCaptured, now] = [amount, amount, world.clock.now()];
  const another = { id: `${row?.id}x`, amount, amountAuthorized, amountCaptured, amountRefunded: 0, createdAt: now };
  await world.runtime.db.write(
    async (tx) => void (await tx.insert(transactions).values({ ...present(row), ...another, settledAt: now })),
  );
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("The row does not exist.");
  return value;
}

/** 600 more than was asked for. */
const withSurplus = { amount: 1850, amountAuthorized: 1850, amountCaptured: 1850 };

it("decides that a refund of a request that was not overpaid returned no surplus", async () => {
  const id = await refundedBefore();
  const before = await paymentRow(world, id);
  await upgrade();
  expect(await surplusOf(id)).toEqual([0]);
  expect(await paymentRow(world, id)).toEqual(before);
});

it("continues after the last batch that its progress names, in three passes", async () => {
  const older = await refundedBefore();
  world.clock.advance(1);
  const newer = await refundedBefore();
  const { createdAt } = await paymentRow(world, newer);
  const progress = { pass: 1, after: { createdAt, id: newer }, checked: 1, corrected: 0 };
  const { clock, db } = world.runtime;
  await upgrade();
  expect(await describeUpgrade(world.runtime)).toEqual({
    lines: [expect.stringMatching(/^payments.recompute .*"corrected":2/)],
    hasFailed: false,
  });
  expect(await upgradeJob()).toMatchObject({
    runAt: clock.now() + 3_600_000,
    progress: { pass: 2, after: null, checked: 2, corrected: 2 },
  });
  const undo = { amountSurplus: null };
  await db.write(async (tx) => {
    await tx.update(transactions).set(undo).where(eq(transactions.type, "refund"));
    await tx.update(jobs).set({ progress, runAt: clock.now() }).where(eq(jobs.kind, "payments.recompute"));
  });
  await runJobs(world);
  expect([await surplusOf(older), await surplusOf(newer)]).toEqual([[0], [null]]);
  world.clock.advance(3_600_000);
  await runJobs(world);
  expect(await surplusOf(newer)).toEqual([0]);
  world.clock.advance(24 * 3_600_000);
  await runJobs(world);
  expect(await upgradeJob()).toBeUndefined();
  expect((await describeUpgrade(world.runtime)).lines).toEqual(["No upgrade has anything left to do."]);
});

it("corrects all others around one that cannot be corrected, names it, and corrects it once it can be", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) {
    ids.push(await refundedBefore());
    await writeRow(ids[n] ?? "", { amountWaived: 7 });
    world.clock.advance(1);
  }
  const [, stuck = ""] = ids;
  const attempt = (await transactionsOf(world, stuck)).find(({ type }) => type === "payment");
  const change = async (status: "authorized" | "succeeded", amountAuthorized: number) => {
    const isAttempt = eq(transactions.id, attempt?.id ?? "");
    await world.runtime.db.write(
      async (tx) => void (await tx.update(transactions).set({ status, amountAuthorized }).where(isAttempt)),
    );
  };
  const waived = () => Promise.all(ids.map(async (id) => (await paymentRow(world, id)).amountWaived));
  // More captured than authorized: the database refuses the amounts that follow from it.
  await change("authorized", 1);
  await upgrade();
  expect(await waived()).toEqual([0, 7, 0]);
  expect(await upgradeJob()).toMatchObject({ failures: 0, progress: { pass: 2, checked: 3, corrected: 2 } });
  for (const hours of [1, 24]) {
    world.clock.advance(hours * 3_600_000);
    await runJobs(world);
  }
  expect(await upgradeJob()).toMatchObject({ failures: 1, lastError: expect.stringContaining(stuck) });
  await change("succeeded", 1250);
  world.clock.advance(3_600_000);
  await runJobs(world);
  expect(await waived()).toEqual([0, 0, 0]);
  expect(await upgradeJob()).toBeUndefined();
});

it("looks in the end at organizations that the earlier version created during the upgrade", async () => {
  await upgrade();
  world.clock.advance(3_600_000);
  const late = await world.organization();
  const { payment } = await ask(world, late.member.actor);
  await writeRow(payment.payment_id, { amountWaived: 7 });
  await runJobs(world);
  world.clock.advance(24 * 3_600_000);
  await runJobs(world);
  expect((await paymentRow(world, payment.payment_id)).amountWaived).toBe(0);
  expect(await upgradeJob()).toBeUndefined();
});

it("looks at them even if the first organization has a payment request that cannot be corrected", async () => {
  const stuck = await refundedBefore();
  await writeRow(stuck, { amountWaived: 7 });
  const isAttempt = and(eq(transactions.paymentId, stuck), eq(transactions.type, "payment"));
  await world.runtime.db.write(
    async (tx) =>
      void (await tx.update(transactions).set({ status: "authorized", amountAuthorized: 1 }).where(isAttempt)),
  );
  await upgrade();
  world.clock.advance(3_600_000);
  const late = await world.organization();
  const { payment } = await ask(world, late.member.actor);
  await writeRow(payment.payment_id, { amountWaived: 7 });
  await runJobs(world);
  world.clock.advance(24 * 3_600_000);
  await runJobs(world);
  expect(await upgradeJob()).toMatchObject({ failures: 1, lastError: expect.stringContaining(stuck) });
  expect((await paymentRow(world, payment.payment_id)).amountWaived).toBe(0);
});

describe("a request that an earlier version allowed to be overpaid", () => {
  /** Overpaid by 600, as its transactions say; the row is of a version without surpluses. */
  async function overpaidBefore() {
    const id = await refundedBefore();
    const isPayment = and(eq(transactions.paymentId, id), eq(transactions.type, "payment"));
    await world.runtime.db.write(async (tx) => {
      await tx.update(transactions).set(withSurplus).where(isPayment);
    });
    await writeRow(id, { amountPaid: 1850, amountAuthorized: 1850 });
    return id;
  }

  it("is overpaid by the amount that its refunds have not returned", async () => {
    const id = await overpaidBefore();
    await upgrade();
    expect(await surplusOf(id)).toEqual([400]);
    expect(await paymentRow(world, id)).toMatchObject({ amountPaid: 1850, amountRefunded: 400, amountOverpaid: 200 });
  });

  it("counts its earlier refunds even if it changes before the upgrade reaches it", async () => {
    const id = await overpaidBefore();
    await world.call(refundPayment, member.actor, { payment_id: id, amount: 50 });
    expect(await paymentRow(world, id)).toMatchObject({ amountRefunded: 450, amountOverpaid: 150 });
    expect(await surplusOf(id)).toEqual([400, 50]);
  });
});

it("does not count a refund from before the surplus as a refund of it, whether or not it was read", async () => {
  const [seen, unseen] = [await refundedBefore(), await refundedBefore()];
  world.clock.advance(1000);
  for (const id of [seen, unseen]) await payAgain(id, 600);
  await expirePayment(world.runtime, seen);
  await upgrade();
  for (const id of [seen, unseen]) {
    expect(await paymentRow(world, id)).toMatchObject({ amountPaid: 1850, amountOverpaid: 600 });
    expect(await surplusOf(id)).toEqual([0]);
  }
});

it("counts refunds as surplus up to what there was of it, in their order", async () => {
  const id = await refundedBefore();
  world.clock.advance(1000);
  await payAgain(id, 600);
  const row = (await transactionsOf(world, id)).find(({ type }) => type === "refund");
  const refund = (name: string, change: object) => ({
    ...present(row),
    id: name,
    createdAt: world.clock.now(),
    ...change,
  });
  await world.runtime.db.write(async (tx) => {
    await tx
      .insert(transactions)
      .values([
        refund("txn_1", { amount: 300, status: "failed" }),
        refund("txn_2", { amount: 250 }),
        refund("txn_3", { amount: 375, status: "pending" }),
      ]);
  });
  await upgrade();
  expect((await transactionsOf(world, id)).map(({ id: name, amountSurplus }) => [name, amountSurplus])).toEqual(
    expect.arrayContaining([
      [row?.id, 0],
      ["txn_1", 300],
      ["txn_2", 250],
      ["txn_3", 350],
    ]),
  );
});
