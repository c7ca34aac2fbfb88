// The expiry job of payment requests: removed when they end otherwise, never early, and many in one transaction.

import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { jobs } from "@/db/tables";
import { closeAccountOf } from "@/test/closing";
import { eventTypesOf } from "@/test/events";
import { runJobs, runJobsOnce } from "@/test/jobs";
import { create, expectSoundLedger } from "@/test/money";
import { ask, card, declineForGood, formToken, openPage, paymentRow, payWith, submit } from "@/test/payer";
import { expectOneTruth } from "@/test/payment-truth";
import { anotherProcess, openWorld, type TestUser, type World } from "@/test/world";
import { expirePayments, healExpired } from "./expire";
import { cancelPayment } from "./operations/cancel";
import { refundPayment } from "./operations/refund";

/** Ids of payment requests that cannot be refreshed. */
const broken = vi.hoisted(() => new Set<string>());
vi.mock("./refresh", async (original) => {
  const { refreshPayment } = await original<typeof import("./refresh")>();
  const refresh: typeof refreshPayment = async (ctx, id, commands) => {
    if (broken.has(id)) throw new Error("This request cannot be refreshed.");
    return refreshPayment(ctx, id, commands);
  };
  return { refreshPayment: refresh };
});

let world: World;
let user: TestUser;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "10000", PAY_FAILURES_PER_LINK: "10000" });
});
beforeEach(async () => {
  const acme = await world.organization();
  user = await world.user(acme.id);
});
afterAll(() => world.close());

const dayMs = 86_400_000;
const inMs = (milliseconds: number) => new Date(world.clock.now() + milliseconds).toISOString();
const jobOf = async (paymentId: string) => {
  const [row] = await world.runtime.db.read
    .select()
    .from(jobs)
    .where(eq(jobs.key, `payments.expire:${paymentId}`));
  return row;
};

it("the job is removed once the payment request is paid, canceled or failed", async () => {
  const paid = await ask(world, user.actor);
  const canceled = await ask(world, user.actor);
  const failed = await ask(world, user.actor);
  const open = await ask(world, user.actor);
  for (const { payment } of [paid, canceled, failed, open]) expect(await jobOf(payment.payment_id)).toBeDefined();
  await payWith(world, paid.token);
  await world.call(cancelPayment, user.actor, { payment_id: canceled.payment.payment_id });
  await declineForGood(world, failed.token);
  // It waits for its money like one that is open.
  expect(await jobOf(failed.payment.payment_id)).toBeDefined();
  await payWith(world, open.token, card("4000000000000002"));
  for (const { payment } of [paid, canceled]) expect(await jobOf(payment.payment_id)).toBeUndefined();
  expect(await jobOf(open.payment.payment_id)).toBeDefined();
});

it("the job stays while money is only authorized, because the hold may be released", async () => {
  const { payment, token } = await ask(world, user.actor, { capture_method: "manual" });
  await payWith(world, token);
  expect(await jobOf(payment.payment_id)).toBeDefined();
});

it("a job that runs too early is scheduled again for its time", async () => {
  const { payment } = await ask(world, user.actor, { expires_at: inMs(dayMs) });
  const due = (await jobOf(payment.payment_id))?.runAt;
  const early = { runAt: world.clock.now() };
  await world.runtime.db.write(async (tx) => {
    await tx
      .update(jobs)
      .set(early)
      .where(eq(jobs.key, `payments.expire:${payment.payment_id}`));
  });
  await runJobsOnce(world);
  expect((await paymentRow(world, payment.payment_id)).status).toBe("pending");
  expect(await jobOf(payment.payment_id)).toMatchObject({ status: "waiting", runAt: due });
});

it("one transaction expires many payment requests, each with its own records, and no others", async () => {
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.push((await ask(world, user.actor, { expires_at: inMs(dayMs) })).payment.payment_id);
  const later = (await ask(world, user.actor, { expires_at: inMs(3 * dayMs) })).payment.payment_id;
  world.clock.advance(2 * dayMs);
  await expirePayments(world.runtime, [...ids, later]);
  for (const id of ids) expect((await paymentRow(world, id)).status).toBe("expired");
  expect((await paymentRow(world, later)).status).toBe("pending");
});

describe("a payment request that was expired by a process whose clock was ahead", () => {
  let wrong: World;
  beforeAll(async () => {
    wrong = await anotherProcess(world, { clock: { now: () => world.clock.now() + 2 * dayMs } });
  });
  afterAll(() => wrong.close());

  async function expiredEarly() {
    const request = await ask(world, user.actor, { expires_at: inMs(dayMs) });
    const { payment_id: id } = request.payment;
    return { id, token: request.token, expiresAt: world.clock.now() + dayMs };
  }

  async function expireTooEarly(id: string): Promise<void> {
    await runJobs(wrong);
    expect((await paymentRow(world, id)).status).toBe("expired");
    expect(await jobOf(id)).toBeUndefined();
  }

  async function heal(): Promise<void> {
    await healExpired(world.runtime, world.clock.now());
    await runJobs(world);
  }

  it("is reopened when a worker with the right clock starts, and expires at its time", async () => {
    const { id, token, expiresAt } = await expiredEarly();
    await expireTooEarly(id);
    await heal();
    expect((await paymentRow(world, id)).status).toBe("pending");
    expect((await openPage(world, token)).state).toBe("open");
    expect((await jobOf(id))?.runAt).toBe(expiresAt);
    await expectOneTruth(world, id, { clockWasAhead: true });
    world.clock.advance(dayMs);
    await runJobs(world);
    expect(await eventTypesOf(world, id)).toEqual([
      "payment.created",
      "payment.expired",
      "payment.updated",
      "payment.expired",
    ]);
    await expectSoundLedger(world);
  });

  it("is partially refunded again, and its money does not count as late", async () => {
    const { id } = await expiredEarly();
    await create(world, user.actor, { type: "payment", payment_id: id, amount: 400, currency: "EUR" });
    await world.call(refundPayment, user.actor, { payment_id: id, amount: 100 });
    await expireTooEarly(id);
    const before = await eventTypesOf(world, id);
    await heal();
    expect((await paymentRow(world, id)).status).toBe("partially_refunded");
    expect((await eventTypesOf(world, id)).slice(before.length)).toEqual(["payment.partially_refunded"]);
    await expectOneTruth(world, id, { clockWasAhead: true });
  });

  it("is reopened even if another one cannot be updated, which is retried", async () => {
    const [first, ...others] = [await expiredEarly(), await expiredEarly(), await expiredEarly()].sort((a, b) =>
      a.id < b.id ? -1 : 1,
    );
    const failing = first?.id ?? "";
    for (const { id } of [{ id: failing }, ...others]) await expireTooEarly(id);
    broken.add(failing);
    await heal();
    for (const { id } of others) expect((await paymentRow(world, id)).status).toBe("pending");
    expect(await jobOf(failing)).toMatchObject({ status: "waiting", failures: 1 });
    broken.clear();
    world.clock.advance(10_000);
    await runJobs(world);
    expect((await paymentRow(world, failing)).status).toBe("pending");
  });

  it("is canceled if its account was closed meanwhile", async () => {
    const { id, token } = await expiredEarly();
    await expireTooEarly(id);
    expect(await closeAccountOf(world, user.actor, user.accountId)).toMatchObject({
      canceled_payments: 0,
    });
    await heal();
    expect((await paymentRow(world, id)).status).toBe("canceled");
    expect((await openPage(world, token)).state).toBe("unavailable");
    expect(await jobOf(id)).toBeUndefined();
    expect(await eventTypesOf(world, id)).toEqual([
      "payment.created",
      "payment.expired",
      "payment.updated",
      "payment.canceled",
    ]);
  });

  it("stays expired if its time has passed by now", async () => {
    const { id } = await expiredEarly();
    await expireTooEarly(id);
    const before = await paymentRow(world, id);
    world.clock.advance(dayMs);
    await heal();
    expect(await paymentRow(world, id)).toEqual(before);
  });

  it("has its expiry job again even if a payment was tried before", async () => {
    const { id, token, expiresAt } = await expiredEarly();
    const form = await formToken(world, token);
    await expireTooEarly(id);
    await submit(world, token, form, card("4000000000000002"));
    expect((await paymentRow(world, id)).status).toBe("pending");
    expect((await jobOf(id))?.runAt).toBe(expiresAt);
  });
});
