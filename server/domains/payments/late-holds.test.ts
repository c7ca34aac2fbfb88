// Holds whose provider answers too late or fails to capture: unwanted holds are released, decided captures are tried.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { jobs, transactions } from "@/db/tables";
import type { ChargeResult } from "@/server/domains/providers/provider";
import { sandboxProvider } from "@/server/domains/providers/sandbox";
import { iso } from "@/server/process/clock";
import { lookUpNow } from "@/test/charge-ages";
import { closeAccountOf } from "@/test/closing";
import { runJobs } from "@/test/jobs";
import { balancesOf, beginCharge, expectSoundLedger, rowOf, settleNow } from "@/test/money";
import { ask, card, goodCard, journalEventsOf, openPage, paymentRow, payWith, transactionsOf } from "@/test/payer";
import { expectOneTruth } from "@/test/payment-truth";
import { forgetFault, planFault } from "@/test/provider-faults";
import { openWorld, refusalOf, type TestUser, type World } from "@/test/world";
import { cancelPayment } from "./operations/cancel";
import { capturePayment } from "./operations/capture";
import { extendPayment } from "./operations/extend";
import { getPayment } from "./operations/get";

let world: World;
let user: TestUser;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  world.clock.advance(1000);
  user = (await world.organization()).member;
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const day = 86_400_000;
const lookups = (objectId: string) => world.runtime.db.read.$count(jobs, eq(jobs.key, `payments.lookup:${objectId}`));

/** Makes the provider send no events. */
const loseEvents = () =>
  world.runtime.db.write(async (tx) => void (await tx.delete(jobs).where(eq(jobs.kind, "sandbox.event"))));

/** A charge that was given up and then made by its provider, which reports it once and sends no event. */
async function givenUp(typed = goodCard, captureMethod: "automatic" | "manual" = "manual") {
  const { payment, token } = await ask(world, user.actor, { capture_method: captureMethod });
  const { payment_id: paymentId } = payment;
  const settledAt = world.clock.now();
  const { id } = await beginCharge(world, user, { paymentId, amount: 1250, status: "failed", settledAt });
  const charge = { idempotencyKey: id, amount: 1250, currency: "EUR", captureMethod, details: typed } as const;
  const made: ChargeResult = await sandboxProvider(world.runtime, false).start(charge);
  await loseEvents();
  return { id, paymentId, token, made };
}

const reported = async (id: string) => {
  const known = await sandboxProvider(world.runtime, false).lookup("charge", id);
  await loseEvents();
  return known?.status;
};

describe("an attempt that was given up and turns out to be", () => {
  it("authorized is released at its provider, even without an event", async () => {
    const { id, paymentId, made } = await givenUp();
    expect(made.status).toBe("authorized");
    await settleNow(world, id, made);
    expect((await paymentRow(world, paymentId)).status).toBe("pending");
    await runJobs(world);
    expect(await reported(id)).toBe("canceled");
    expect(await rowOf(world, id)).toMatchObject({ status: "canceled", amountAuthorized: 1250, amountReleased: 1250 });
    expect(await journalEventsOf(world, id)).toEqual([]);
    expect(await lookups(id)).toBe(0);
    await expectOneTruth(world, paymentId);
  });

  it("waiting for a confirmation is ended at its provider", async () => {
    const { id, made } = await givenUp(card("4000002760003184"));
    expect(made.status).toBe("requires_action");
    await settleNow(world, id, made);
    await runJobs(world);
    expect(await reported(id)).toBe("declined");
    expect(await lookups(id)).toBe(0);
  });

  it("processing is looked up until it has ended, and its money is posted", async () => {
    const { id, paymentId, token, made } = await givenUp(goodCard, "automatic");
    await payWith(world, token);
    expect(made.status).toBe("succeeded");
    await settleNow(world, id, { ...made, status: "processing", amountCaptured: 0 });
    await runJobs(world);
    expect(await rowOf(world, id)).toMatchObject({ status: "succeeded", amountCaptured: 1250 });
    expect(await paymentRow(world, paymentId)).toMatchObject({ amountPaid: 2500, amountOverpaid: 1250 });
  });

  it("authorized is looked up again a minute later if its provider has not released it", async () => {
    const { id, made } = await givenUp();
    for (const wait of [0, 60_000]) {
      await settleNow(world, id, made);
      const [job] = await world.runtime.db.read.select().from(jobs).where(eq(jobs.objectId, id));
      expect(job?.runAt).toBe(world.clock.now() + wait);
    }
  });
});

it("a payment request that was extended after its hold lapsed takes another card once the hold has ended", async () => {
  const { payment, token } = await ask(world, user.actor, { capture_method: "manual" });
  const { payment_id } = payment;
  await payWith(world, token);
  await loseEvents();
  const [hold] = await transactionsOf(world, payment_id);
  world.clock.advance((hold?.captureBefore ?? 0) - world.clock.now());
  await world.call(extendPayment, user.actor, { payment_id, expires_at: iso(world.clock.now() + 20 * day) });
  expect((await openPage(world, token)).state).toBe("processing");
  await runJobs(world);
  expect(await rowOf(world, hold?.id ?? "")).toMatchObject({ status: "expired", amountReleased: 1250 });
  await payWith(world, token);
  expect(await paymentRow(world, payment_id)).toMatchObject({ status: "authorized", amountCapturable: 1250 });
  await expectOneTruth(world, payment_id);
});

/** A payment request whose capture was decided by a process that died before it called the provider. */
async function captureLost(early: number) {
  const { payment, token } = await ask(world, user.actor, { capture_method: "manual" });
  const { payment_id } = payment;
  await payWith(world, token);
  await loseEvents();
  const [hold] = await transactionsOf(world, payment_id);
  world.clock.advance((hold?.captureBefore ?? 0) - world.clock.now() - early);
  await runJobs(world);
  planFault("capture", "reset", "before");
  await world.call(capturePayment, user.actor, { payment_id });
  await loseEvents();
  expect((await rowOf(world, hold?.id ?? "")).captureRequested).toBe(1250);
  return { id: payment_id, hold: hold?.id ?? "" };
}

describe("a capture that was decided just before the end of its authorization", () => {
  it("is tried after that end, and may still succeed", async () => {
    const { id, hold } = await captureLost(60_000);
    // This provider keeps an authorization a little longer than we expect.
    await world.runtime.db.write(async (tx) => {
      const captureBefore = world.clock.now() + 1;
      await tx.update(transactions).set({ captureBefore }).where(eq(transactions.id, hold));
    });
    world.clock.advance(2);
    await lookUpNow(world, hold);
    expect(await rowOf(world, hold)).toMatchObject({ status: "succeeded", amountCaptured: 1250 });
    expect(await paymentRow(world, id)).toMatchObject({ status: "paid", amountPaid: 1250 });
  });

  it("is tried after that end, and is canceled if the provider has released it", async () => {
    const { id, hold } = await captureLost(1);
    world.clock.advance(60_000);
    await runJobs(world);
    expect(await rowOf(world, hold)).toMatchObject({ status: "expired", amountCaptured: 0, captureRequested: null });
    expect((await paymentRow(world, id)).status).toBe("expired");
    expect(await balancesOf(world, user.accountId)).toEqual({});
  });
});

describe("a capture that keeps failing", () => {
  /** Until the authorization lapses; by then its job has failed for good. */
  async function dead() {
    const { id, hold } = await captureLost(60_000);
    await world.runtime.db.write(
      async (tx) => void (await tx.update(jobs).set({ status: "dead" }).where(eq(jobs.objectId, hold))),
    );
    world.clock.advance(60_000);
    return { id, hold };
  }

  it("does not block its payment request beyond the end of the authorization", async () => {
    const { id } = await dead();
    expect((await world.call(getPayment, user.actor, { payment_id: id })).status).toBe("expired");
    expect(await refusalOf(world.call(cancelPayment, user.actor, { payment_id: id }))).toBe("payment_not_cancelable");
    expect(await refusalOf(world.call(capturePayment, user.actor, { payment_id: id }))).toBe("authorization_expired");
  });

  it("is tried for one more day", async () => {
    const { hold } = await dead();
    world.clock.advance(day - 1);
    const isTried = planFault("capture", "reset", "before");
    await expect(lookUpNow(world, hold)).rejects.toThrow("reset");
    await isTried;
    expect(await rowOf(world, hold)).toMatchObject({ status: "authorized", captureRequested: 1250 });
  });

  it("is no longer tried after that day: the hold is released", async () => {
    const { hold } = await dead();
    world.clock.advance(day);
    planFault("capture", "reset", "before");
    await lookUpNow(world, hold);
    forgetFault();
    expect(await rowOf(world, hold)).toMatchObject({ status: "expired", captureRequested: null, amountReleased: 1250 });
  });

  it("ends with its account once that day is over", async () => {
    const { id, hold } = await dead();
    await closeAccountOf(world, user.actor, user.accountId);
    world.clock.advance(day);
    await runJobs(world);
    expect((await paymentRow(world, id)).status).toBe("canceled");
    expect(await rowOf(world, hold)).toMatchObject({ amountCaptured: 0, amountReleased: 1250 });
    expect(await world.runtime.db.read.$count(jobs, eq(jobs.objectId, user.accountId))).toBe(0);
  });
});

describe("a hold of a canceled payment request that the provider releases slowly", () => {
  it("is looked up until it is released", async () => {
    const { payment, token } = await ask(world, user.actor, { capture_method: "manual" });
    const { payment_id } = payment;
    await payWith(world, token);
    await loseEvents();
    const [{ id } = { id: "" }] = await transactionsOf(world, payment_id);
    planFault("cancel", "reset", "unkept");
    await world.call(cancelPayment, user.actor, { payment_id });
    planFault("cancel", "reset", "unkept");
    expect(await lookUpNow(world, id)).toEqual({ again: world.clock.now() + 60_000 });
    expect((await rowOf(world, id)).status).toBe("authorized");
    expect(await lookUpNow(world, id)).toBeUndefined();
    expect((await rowOf(world, id)).status).toBe("canceled");
    expect(await reported(id)).toBe("canceled");
  });
});
