// Money that arrives after a payment request's end is announced as late, whatever the provider reports in between.

import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { jobs } from "@/db/tables";
import type { ChargeResult, ChargeStatus } from "@/server/domains/providers/provider";
import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { closeAccountOf } from "@/test/closing";
import { eventTypesOf } from "@/test/events";
import { runJobs } from "@/test/jobs";
import { expectSoundLedger, settleNow } from "@/test/money";
import { ask, card, goodCard, paymentRow, payWith, transactionsOf } from "@/test/payer";
import { expectOneTruth } from "@/test/payment-truth";
import { openWorld, type TestUser, type World } from "@/test/world";
import { capturePayment } from "./operations/capture";

const minute = 60_000;
const day = 86_400_000;
const lostAnswer = { ...card(troubledCard), security_code: lostAnswerCode };

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

/** A payment request that can be paid for ten minutes, with an attempt, and a function that settles a status of it. */
async function attempted(typed = goodCard, capture_method: "automatic" | "manual" = "automatic") {
  const expires_at = new Date(world.clock.now() + 10 * minute).toISOString();
  const { payment, token } = await ask(world, user.actor, { expires_at, capture_method });
  await payWith(world, token, typed);
  // The provider sends no events.
  await world.runtime.db.write(async (tx) => void (await tx.delete(jobs).where(eq(jobs.kind, "sandbox.event"))));
  const [attempt] = await transactionsOf(world, payment.payment_id);
  const reported = (status: ChargeStatus): ChargeResult => ({
    kind: "charge",
    reference: attempt?.providerReference ?? `ref_${attempt?.id}`,
    status,
    amountCaptured: status === "succeeded" ? 1250 : 0,
    actionUrl: null,
    method: null,
    failure: null,
  });
  const settle = (status: ChargeStatus) => settleNow(world, attempt?.id ?? "", reported(status));
  return { id: payment.payment_id, settle };
}

describe("is paid late by", () => {
  it.each([
    ["the worker has recorded", true],
    ["is not recorded yet", false],
  ])("a confirmation and some processing after the end, which %s", async (_, isNoted) => {
    const { id, settle } = await attempted(card("4000002760003184"));
    world.clock.advance(11 * minute);
    if (isNoted) await runJobs(world);
    await settle("processing");
    await settle("succeeded");
    expect((await paymentRow(world, id)).status).toBe("paid");
    expect((await eventTypesOf(world, id)).slice(-2)).toEqual(["payment.paid", "payment.paid_late"]);
    await expectOneTruth(world, id);
  });

  it("an attempt that was processing when the payment request was canceled", async () => {
    const { id, settle } = await attempted(lostAnswer);
    await closeAccountOf(world, user.actor, user.accountId);
    await settle("processing");
    await settle("succeeded");
    expect((await eventTypesOf(world, id)).slice(-3)).toEqual([
      "payment.canceled",
      "payment.paid",
      "payment.paid_late",
    ]);
    await expectOneTruth(world, id);
  });

  it.each([
    ["the worker has recorded", true],
    ["is not recorded yet", false],
  ])("the capture of a hold whose end %s", async (_, isNoted) => {
    const { id, settle } = await attempted(goodCard, "manual");
    world.clock.advance(7 * day);
    if (isNoted) await runJobs(world);
    await settle("succeeded");
    expect((await paymentRow(world, id)).status).toBe("paid");
    expect((await eventTypesOf(world, id)).at(-1)).toBe("payment.paid_late");
    await expectOneTruth(world, id);
  });
});

describe("is not paid late by", () => {
  it("an attempt that succeeds in time", async () => {
    const { id, settle } = await attempted(lostAnswer);
    await settle("processing");
    world.clock.advance(10 * minute - 1);
    await settle("succeeded");
    expect((await eventTypesOf(world, id)).at(-1)).toBe("payment.paid");
  });

  it("the capture of a hold after the payment request's expiry, while the hold lasts", async () => {
    const { id } = await attempted(goodCard, "manual");
    world.clock.advance(day);
    await world.call(capturePayment, user.actor, { payment_id: id });
    expect((await eventTypesOf(world, id)).slice(-2)).toEqual(["payment.captured", "payment.paid"]);
  });
});
