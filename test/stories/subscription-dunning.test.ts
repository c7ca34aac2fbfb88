// Renewals that are not paid at once: across pauses, cancelations, lost charges and time without a worker.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { mails, sandboxOperations, subscriptions } from "@/db/tables";
import { updateOrganizationSettings } from "@/server/domains/onboarding/operations/organization-settings";
import { cancelPayment } from "@/server/domains/payments/operations/cancel";
import { getPayment } from "@/server/domains/payments/operations/get";
import { updatePaymentRequest } from "@/server/domains/payments/operations/update";
import { pauseSubscription } from "@/server/domains/subscriptions/operations/change";
import { updateSubscriptionFields } from "@/server/domains/subscriptions/operations/update";
import { runSubscription } from "@/server/domains/subscriptions/run";
import { dayMs, hourMs, limits, minuteMs } from "@/server/kit/limits";
import { pass, runJobs } from "@/test/jobs";
import { captureRequest } from "@/test/merchant";
import { expectSoundLedger } from "@/test/money";
import { ask, card, formToken, paymentRow, payWith, submit, tokenOf, transactionsOf } from "@/test/payer";
import { planFault } from "@/test/provider-faults";
import { commandsOf, confirmOn, cyclesOf, readOne, subscribe, subscriptionOf } from "@/test/subscriber";
import { openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});
beforeEach(async () => {
  acme = await world.organization();
});

const declined = card("4000000000000341");
const daily = { interval: "day", interval_count: 1 } as const;
const thirtyDays = { interval: "day", interval_count: 30 } as const;

const actor = () => acme.member.actor;
const read = (id: string) => readOne(world, actor(), id);
const { pause, resume, cancel } = commandsOf(() => world, actor);
/** Ends a subscription with short periods, which would make every later test of this file renew it. */
const end = (id: string) => cancel(id);

async function rowOf(id: string) {
  const [row] = await world.runtime.db.read.select().from(subscriptions).where(eq(subscriptions.id, id));
  if (!row) throw new Error(`No subscription ${id}.`);
  return row;
}

/** A subscription whose worker has done everything until now. */
async function begin(fields: Parameters<typeof subscribe>[2] = {}, method = card("4242424242424242")) {
  const begun = await subscribe(world, actor(), { subscription: thirtyDays, ...fields }, method);
  await runJobs(world);
  return begun;
}

const tries = async (id: string) => (await transactionsOf(world, (await read(id)).latest_payment_id)).length;

it("the last cycle is charged although its period passed while no worker ran", async () => {
  const { id } = await begin({ subscription: { ...daily, cycles: 3 } });
  await pass(world, 5.5 * dayMs);
  const cycles = await cyclesOf(world, id);
  expect(cycles.map(({ isMissed, paidAt }) => [isMissed, paidAt !== null])).toEqual([
    [false, true],
    [true, false],
    [false, true],
  ]);
  expect(await read(id)).toMatchObject({ status: "ended", end_reason: "completed", cycles_done: 2 });
});

describe("a pause of a subscription whose renewal is not paid", () => {
  it("does not forget it: the retries go on, and the last one ends the subscription", async () => {
    const { id } = await begin({ subscription: { ...thirtyDays, cycles: 2 } }, declined);
    await pass(world, 30 * dayMs);
    expect(await read(id)).toMatchObject({ status: "past_due" });
    await pause(id);
    expect(await resume(id)).toMatchObject({ status: "past_due" });
    await pass(world, 0);
    expect(await tries(id)).toBe(1);
    await pause(id);
    await pass(world, 3.5 * dayMs);
    expect(await tries(id)).toBe(1);
    // Two dates have passed: the card is charged at once, and then as many days apart as always.
    await resume(id);
    await pass(world, 0);
    expect(await tries(id)).toBe(2);
    expect(await read(id)).toMatchObject({ status: "past_due" });
    for (let days = 0; days < 3; days++) await pass(world, 2 * dayMs);
    const { latest_payment_id } = await read(id);
    expect(await tries(id)).toBe(5);
    expect(await read(id)).toMatchObject({ status: "ended", end_reason: "payment_failed", cycles_done: 1 });
    expect((await paymentRow(world, latest_payment_id)).status).toBe("canceled");
  });

  it("ends in an active one if it was paid on its page meanwhile", async () => {
    const { id } = await begin({}, declined);
    await pass(world, 30 * dayMs);
    await pause(id);
    const { latest_payment_id: payment_id } = await read(id);
    await payWith(world, tokenOf((await world.call(getPayment, actor(), { payment_id })).payment_url));
    expect(await read(id)).toMatchObject({ status: "paused", cycles_done: 2 });
    expect(await resume(id)).toMatchObject({ status: "active" });
    await pass(world, 10 * dayMs);
    expect(await tries(id)).toBe(2);
  });
});

describe("a charge that is under way when a pause arrives", () => {
  it("and is declined then is tried again after the pause", async () => {
    const { id } = await begin({ customer: { email: `paused.${acme.id}@example.com` } }, declined);
    world.clock.advance(30 * dayMs);
    const charged = planFault("chargeStored", "reset", "after");
    await runSubscription(world.runtime, id);
    await charged;
    await pause(id);
    await pass(world, hourMs);
    expect(await rowOf(id)).toMatchObject({ status: "paused", attemptId: null, retryAt: expect.any(Number) });
    await pass(world, 2 * dayMs);
    expect(await tries(id)).toBe(1);
    // Nothing is asked of the customer during a pause.
    expect(await mailed(id)).toEqual([]);
    expect(await resume(id)).toMatchObject({ status: "past_due" });
    await pass(world, 0);
    expect(await tries(id)).toBe(2);
    expect(await mailed(id)).toEqual(["renewal_failed"]);
  });

  it("and was never received is made after the pause", async () => {
    const { id } = await begin();
    world.clock.advance(30 * dayMs);
    const cut = planFault("chargeStored", "reset", "before");
    await runSubscription(world.runtime, id);
    await cut;
    await pause(id);
    await pass(world, hourMs);
    expect(await rowOf(id)).toMatchObject({ status: "paused", attemptId: null, failedAt: null });
    await pass(world, hourMs);
    expect(await tries(id)).toBe(1);
    expect(await resume(id)).toMatchObject({ status: "active" });
    await pass(world, 0);
    expect(await read(id)).toMatchObject({ status: "active", cycles_done: 2 });
  });
});

/** The mails about the newest renewal. */
async function mailed(id: string): Promise<string[]> {
  const { latest_payment_id } = await read(id);
  const sent = await world.runtime.db.read.select().from(mails).where(eq(mails.paymentId, latest_payment_id));
  return sent.map(({ kind }) => kind);
}

/** Cancels the payment request of the newest renewal. */
async function waive(id: string): Promise<void> {
  const { latest_payment_id: payment_id } = await read(id);
  await world.call(cancelPayment, actor(), { payment_id });
}

describe("the payment request of a renewal that is not paid", () => {
  it("waives the period if it is canceled, also during a pause", async () => {
    const { id } = await begin({ customer: { email: `waived.${acme.id}@example.com` } }, declined);
    await pass(world, 30 * dayMs);
    await pause(id);
    await waive(id);
    expect(await rowOf(id)).toMatchObject({ status: "paused", failedAt: null, retryAt: null });
    expect(await resume(id)).toMatchObject({ status: "active" });
    await pass(world, 10 * dayMs);
    expect(await read(id)).toMatchObject({ status: "active", cycles_done: 1 });
    expect(await mailed(id)).toEqual(["renewal_failed"]);
    expect(await tries(id)).toBe(1);
  });

  it("waives the period if it is canceled before its charge, which was lost, is made again", async () => {
    const { id } = await begin({ subscription: { ...thirtyDays, cycles: 2 } });
    world.clock.advance(30 * dayMs);
    const cut = planFault("chargeStored", "reset", "before");
    await runSubscription(world.runtime, id);
    await cut;
    await pass(world, 2 * minuteMs);
    expect(await rowOf(id)).toMatchObject({ status: "active", attemptId: null, retryAt: expect.any(Number) });
    await waive(id);
    await pass(world, 10 * dayMs);
    expect(await read(id)).toMatchObject({ status: "active" });
    expect(await mailed(id)).toEqual([]);
    await pass(world, 21 * dayMs);
    expect(await read(id)).toMatchObject({ status: "ended", end_reason: "completed", cycles_done: 1 });
  });

  it("is in no further mail once it has expired, and the subscription ends after the last date", async () => {
    const { id } = await begin({ customer: { email: `expired.${acme.id}@example.com` } }, declined);
    await pass(world, 30 * dayMs);
    const { latest_payment_id: payment_id } = await read(id);
    const expires_at = new Date(world.clock.now() + hourMs).toISOString();
    await world.call(updatePaymentRequest, actor(), { payment_id, expires_at });
    for (let day = 1; day <= 6; day++) await pass(world, dayMs);
    expect(await read(id)).toMatchObject({ status: "past_due" });
    expect(await mailed(id)).toEqual(["renewal_failed"]);
    await pass(world, 2 * dayMs);
    expect(await read(id)).toMatchObject({ status: "ended", end_reason: "payment_failed" });
  });
});

it("a retry waits while the customer pays on the page", async () => {
  const { id } = await begin({ customer: { email: `busy.${acme.id}@example.com` } }, declined);
  await pass(world, 30 * dayMs);
  const { retries, retryAt, latestPaymentId } = await rowOf(id);
  await pass(world, (retryAt ?? 0) - world.clock.now() - minuteMs);
  const { payment_url } = await world.call(getPayment, actor(), { payment_id: latestPaymentId });
  await payWith(world, tokenOf(payment_url), card("4000002500003155"));
  world.clock.advance(minuteMs);
  await runSubscription(world.runtime, id);
  expect(await tries(id)).toBe(2);
  expect(await mailed(id)).toEqual(["renewal_failed"]);
  expect(await rowOf(id)).toMatchObject({ retries, retryAt: world.clock.now() + hourMs });
  // The customer gave up: then the stored card is charged.
  await pass(world, 20 * minuteMs);
  await pass(world, 40 * minuteMs);
  expect(await tries(id)).toBe(3);
});

/** Makes the bank decline the stored card, or accept it again. */
async function setDecline(paymentId: string, isDeclined: boolean): Promise<void> {
  const [charge] = await transactionsOf(world, paymentId);
  const stored = { decline: isDeclined ? { code: "card_declined", message: "The card was declined." } : null };
  await world.runtime.db.write(async (tx) => {
    const of = eq(sandboxOperations.reference, charge?.providerReference ?? "");
    const [row] = await tx.select().from(sandboxOperations).where(of);
    await tx
      .update(sandboxOperations)
      .set({ outcome: { ...row?.outcome, stored } })
      .where(of);
  });
}

describe("a pause while no worker runs", () => {
  it("ends at its time: a period that began since then is charged", async () => {
    const { id } = await begin();
    const resume_at = new Date(world.clock.now() + 29 * dayMs).toISOString();
    await world.call(pauseSubscription, actor(), { subscription_id: id, resume_at });
    await pass(world, 30 * dayMs + 1000);
    expect(await read(id)).toMatchObject({ status: "active", cycles_done: 2 });
  });

  it("charges a period that began before it once it is over", async () => {
    const { id } = await begin();
    world.clock.advance(30 * dayMs + 500);
    await pause(id);
    await pass(world, 20 * dayMs);
    expect(await read(id)).toMatchObject({ status: "paused", cycles_done: 1 });
    await resume(id);
    await pass(world, 1000);
    expect(await read(id)).toMatchObject({ status: "active", cycles_done: 2 });
    expect((await cyclesOf(world, id)).map(({ cycle }) => cycle)).toEqual([1, 2]);
  });

  it("loses no period if it is over before the worker comes", async () => {
    const { id } = await begin();
    world.clock.advance(30 * dayMs + minuteMs);
    await pause(id);
    await resume(id);
    await pass(world, 0);
    expect(await read(id)).toMatchObject({ status: "active", cycles_done: 2 });
  });

  it.each([
    ["leaves earlier periods that were due to the customer, and charges the newest after it", "latest", false],
    ["charges each period that was due after it", "all", true],
  ] as const)("%s", async (_, catch_up, isCharged) => {
    await world.call(updateOrganizationSettings, acme.admin.actor, { catch_up });
    const { id } = await begin({ subscription: daily });
    world.clock.advance(3 * dayMs + minuteMs);
    await pause(id);
    await pass(world, 5 * dayMs);
    await resume(id);
    await pass(world, minuteMs);
    const cycles = await cyclesOf(world, id);
    expect(cycles.map(({ cycle, isMissed, paidAt }) => [cycle, isMissed, paidAt !== null])).toEqual([
      [1, false, true],
      [2, !isCharged, isCharged],
      [3, !isCharged, isCharged],
      [4, false, true],
    ]);
    await end(id);
  });

  it("tries a charge that fails after it again, as any other", async () => {
    const { id } = await begin({}, declined);
    world.clock.advance(30 * dayMs + 500);
    await pause(id);
    await pass(world, 2 * dayMs);
    expect([await read(id), await tries(id)]).toMatchObject([{ status: "paused", cycles_done: 1 }, 0]);
    await resume(id);
    await pass(world, 1000);
    expect([await read(id), await tries(id)]).toMatchObject([{ status: "past_due" }, 1]);
    await pass(world, dayMs);
    expect(await tries(id)).toBe(2);
  });

  it.each(["latest", "all"] as const)(
    "charges nothing if the renewal is paid on its page meanwhile: %s",
    async (catch_up) => {
      await world.call(updateOrganizationSettings, acme.admin.actor, { catch_up });
      const { id } = await begin({ subscription: daily }, declined);
      await pass(world, dayMs);
      await pass(world, 2.5 * dayMs);
      await pause(id);
      const { latest_payment_id: payment_id } = await read(id);
      await payWith(world, tokenOf((await world.call(getPayment, actor(), { payment_id })).payment_url));
      for (let i = 0; i < 3; i++) await pass(world, hourMs);
      expect(await read(id)).toMatchObject({ status: "paused", cycles_done: 2 });
      expect(await cyclesOf(world, id)).toHaveLength(2);
      await resume(id);
      await pass(world, 0);
      expect(await cyclesOf(world, id)).toHaveLength(2);
      await end(id);
    },
  );
});

describe("declines on the page of a renewal, and those of the stored card,", () => {
  /** The page of the renewal that is not paid. */
  const pageOf = async (id: string) => {
    const { latest_payment_id: payment_id } = await read(id);
    return { payment_id, token: tokenOf((await world.call(getPayment, actor(), { payment_id })).payment_url) };
  };
  const declineOnPage = async (token: string, times: number) => {
    for (let i = 0; i < times; i++) {
      world.clock.advance(1);
      const from = { ip: `198.51.100.${i}` };
      await submit(world, token, await formToken(world, token), card("4000000000000002"), from);
    }
  };

  it("are counted apart: retries leave the customer all attempts", async () => {
    const { id } = await begin({}, declined);
    await pass(world, 30 * dayMs);
    for (const days of [1, 2, 2]) await pass(world, days * dayMs);
    expect(await tries(id)).toBe(4);
    const { token } = await pageOf(id);
    await declineOnPage(token, limits.failures.declined - 1);
    await payWith(world, token);
    expect(await read(id)).toMatchObject({ status: "active", cycles_done: 2 });
  });

  it("are counted apart: nobody with the link stops the retries, and one of them pays", async () => {
    const { id, payment } = await begin();
    await setDecline(payment.payment_id, true);
    await pass(world, 30 * dayMs);
    const { token, payment_id } = await pageOf(id);
    await declineOnPage(token, limits.failures.declined);
    expect(await paymentRow(world, payment_id)).toMatchObject({ status: "failed" });
    await pass(world, dayMs);
    expect(await tries(id)).toBe(limits.failures.declined + 2);
    expect(await paymentRow(world, payment_id)).toMatchObject({ status: "failed" });
    await setDecline(payment.payment_id, false);
    await pass(world, 2 * dayMs);
    expect(await paymentRow(world, payment_id)).toMatchObject({ status: "paid" });
    expect(await read(id)).toMatchObject({ status: "active", cycles_done: 2 });
  });
});

it("the first cycle has the amount that was authorized, whatever the subscription costs when it is captured", async () => {
  const { id, payment } = await begin({ capture_method: "manual" });
  await world.call(updateSubscriptionFields, actor(), { subscription_id: id, amount: 99 });
  await captureRequest(world, actor(), payment.payment_id);
  expect(await cyclesOf(world, id)).toMatchObject([{ amount: payment.amount }]);
  expect(await read(id)).toMatchObject({ status: "active", amount: 99 });
});

it("the amount changes no more once all cycles have begun, although the last one is not paid", async () => {
  const { id, payment } = await begin({ subscription: { ...daily, cycles: 2 } });
  await setDecline(payment.payment_id, true);
  const change = (amount: number) => world.call(updateSubscriptionFields, actor(), { subscription_id: id, amount });
  expect(await change(99)).toMatchObject({ amount: 99 });
  await pass(world, dayMs);
  expect(await read(id)).toMatchObject({ status: "past_due", cycles_done: 1 });
  await expect(change(77)).rejects.toMatchObject({
    code: "invalid_subscription_state",
    message: "All cycles of the subscription have begun: no cycle follows.",
  });
  // The same amount is no change.
  expect(await change(99)).toMatchObject({ amount: 99 });
});

it("a retry that pays a moment after the next period began does not leave that period out", async () => {
  const { id, payment } = await begin({ subscription: daily });
  await setDecline(payment.payment_id, true);
  await pass(world, dayMs + 50);
  expect(await read(id)).toMatchObject({ status: "past_due", cycles_done: 1 });
  await setDecline(payment.payment_id, false);
  await pass(world, dayMs + 50);
  expect((await cyclesOf(world, id)).map(({ cycle, paidAt }) => [cycle, paidAt !== null])).toEqual([
    [1, true],
    [2, true],
    [3, true],
  ]);
  expect(await read(id)).toMatchObject({ status: "active", cycles_done: 3 });
});

describe("the notice before a trial ends", () => {
  const onTrial = () =>
    begin({
      subscription: { ...thirtyDays, trial_days: 10 },
      customer: { email: `trial.${acme.id}@example.com` },
    });
  const notices = async () => {
    const sent = await world.runtime.db.read.select().from(mails).where(eq(mails.organizationId, acme.id));
    return sent.filter(({ kind }) => kind === "trial_ending").length;
  };

  it("comes although the trial was paused and resumed", async () => {
    const { id } = await onTrial();
    await pause(id);
    await pass(world, 8 * dayMs);
    expect(await notices()).toBe(0);
    await resume(id);
    await pass(world, 0);
    expect(await notices()).toBe(1);
    await pass(world, 3 * dayMs);
    expect(await read(id)).toMatchObject({ status: "active", cycles_done: 1 });
    expect(await notices()).toBe(1);
  });

  it.each([
    [1, 0],
    [2, 0],
    [3, 0],
    [4, 1],
  ])("of %i days comes if the trial is longer than the notice: %i times", async (trial_days, count) => {
    const customer = { email: `short.${acme.id}@example.com` };
    const asked = {
      type: "subscription",
      amount: 1000,
      customer,
      subscription: { ...thirtyDays, trial_days },
    } as const;
    const { payment, token } = await ask(world, actor(), asked);
    // The first attempt begins before the trial does.
    await payWith(world, token, card("4000002760003184"));
    world.clock.advance(1000);
    await confirmOn(world, token);
    await runJobs(world);
    expect(await subscriptionOf(world, payment.payment_id)).toMatchObject({ status: "trialing" });
    expect(await notices()).toBe(0);
    for (let day = 0; day < trial_days; day++) await pass(world, dayMs);
    expect(await notices()).toBe(count);
  });

  it("does not come after the trial, if no worker ran before", async () => {
    const { id } = await onTrial();
    await pass(world, 11 * dayMs);
    expect(await read(id)).toMatchObject({ status: "active", cycles_done: 1 });
    expect(await notices()).toBe(0);
  });
});

it("a charge that is never received is made again ever later", async () => {
  const { id } = await begin();
  world.clock.advance(30 * dayMs);
  const waits: number[] = [];
  for (let time = 1; time <= 5; time++) {
    const cut = planFault("chargeStored", "reset", "before");
    await runSubscription(world.runtime, id);
    await cut;
    for (let minute = 0; (await rowOf(id)).attemptId !== null && minute < 60; minute++) await pass(world, minuteMs);
    const { retryAt } = await rowOf(id);
    waits.push(((retryAt ?? 0) - world.clock.now()) / minuteMs);
    world.clock.advance((retryAt ?? 0) - world.clock.now());
  }
  expect(waits).toEqual([5, 15, 60, 360, 360]);
  await runJobs(world);
  expect(await read(id)).toMatchObject({ status: "active", cycles_done: 2 });
});
