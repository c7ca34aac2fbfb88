// A subscription lives through two years of the sandbox clock, and the proof holds after each step.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { events, mails, transactions } from "@/db/tables";
import { updateAccount } from "@/server/domains/accounts/operations/update";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { expectSoundLedger } from "@/test/money";
import { card, openPage, paymentRow, payWith } from "@/test/payer";
import { moveClock } from "@/test/sandbox-clock";
import { confirmOn, cyclesOf, monthly, readOne, subscribe } from "@/test/subscriber";
import { openWorld, type TestOrganization, type World } from "@/test/world";
import { getPayment } from "../payments/operations/get";
import { cancelSubscription, pauseSubscription, resumeSubscription } from "./operations/change";
import { updateSubscriptionFields } from "./operations/update";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  acme = await world.organization();
  const timezone = "Europe/Vienna";
  const { actor, accountId: account_id } = acme.member;
  await world.call(updateAccount, actor, { account_id, preferences: { timezone } });
});

/** Moves the clock, and proves everything. */
async function pass(duration: string): Promise<string> {
  const now = await moveClock(world, acme.admin.actor, duration);
  await expectSoundLedger(world);
  return new Date(now).toISOString();
}

const read = (id: string) => readOne(world, acme.member.actor, id);
const tokenOf = async (paymentId: string) => {
  const { payment_url } = await world.call(getPayment, acme.member.actor, { payment_id: paymentId });
  return payment_url?.split("/").at(-1) ?? "";
};
const eventsOf = async (id: string) => {
  const rows = await world.runtime.db.read
    .select()
    .from(events)
    .where(eq(events.objectId, id))
    .orderBy(events.sequence);
  return rows.map(({ type }) => type.replace("subscription.", ""));
};

it("two years: trial, renewals, failed card, recovery, pause, changed amount, refund, cancelation", async () => {
  const { actor } = acme.member;
  const customer = { name: "Grace", email: `grace.${acme.id}@example.com` };
  const terms = { ...monthly, trial_days: 14 };
  const begun = await subscribe(
    world,
    actor,
    { amount: 1000, subscription: terms, customer },
    card("4000000000000341"),
  );
  const { id } = begun;
  await expectSoundLedger(world);
  const first = await world.call(getPayment, actor, { payment_id: begun.payment.payment_id });
  expect(first).toMatchObject({ status: "paid", amount: 1000, amount_paid: 0, amount_due: 0, transaction_ids: [] });
  expect(await read(id)).toMatchObject({
    ...{ status: "trialing", cycles_done: 0, trial_ends_at: "2026-12-04T12:00:00.000Z" },
    payment_method: { last4: "0341" },
  });
  // The card is declined when the trial ends, and a day later again.
  await pass("P14DT1H");
  expect(await read(id)).toMatchObject({
    status: "past_due",
    cycles_done: 0,
    next_charge_at: "2026-12-05T12:00:00.000Z",
  });
  await pass("P1D");
  expect(await read(id)).toMatchObject({ status: "past_due", next_charge_at: "2026-12-07T12:00:00.000Z" });
  // The customer pays with another card on the page of the renewal.
  const { latest_payment_id: renewal } = await read(id);
  await payWith(world, await tokenOf(renewal));
  await expectSoundLedger(world);
  expect(await read(id)).toMatchObject({
    ...{ status: "active", cycles_done: 1, next_charge_at: "2027-01-04T12:00:00.000Z" },
    payment_method: { last4: "4242" },
  });
  await pass("P6M");
  expect(await read(id)).toMatchObject({ status: "active", cycles_done: 7 });
  // The amount changes from the next period on.
  await world.call(updateSubscriptionFields, actor, { subscription_id: id, amount: 1500 });
  await pass("P1M");
  const { latest_payment_id: dearer } = await read(id);
  expect(await paymentRow(world, dearer)).toMatchObject({ amount: 1500, status: "paid", isRenewal: true });
  await world.call(refundPayment, actor, { payment_id: dearer });
  await expectSoundLedger(world);
  // Paused for three months: nothing is charged, and none of it later.
  const before = (await read(id)).cycles_done;
  await world.call(pauseSubscription, actor, { subscription_id: id });
  await pass("P3M");
  expect(await read(id)).toMatchObject({ status: "paused", cycles_done: before, next_charge_at: null });
  await world.call(resumeSubscription, actor, { subscription_id: id });
  expect((await read(id)).cycles_done).toBe(before);
  await pass("P12M");
  expect((await read(id)).cycles_done).toBe(before + 12);
  await world.call(cancelSubscription, actor, { subscription_id: id, at: "period_end" });
  const { current_period_end: end } = await read(id);
  await pass("P1M");
  expect(await read(id)).toMatchObject({ status: "canceled", canceled_at: end, next_charge_at: null });
  const cycles = await cyclesOf(world, id);
  await pass("P6M");
  expect(await cyclesOf(world, id)).toEqual(cycles);
  const days = cycles.map(({ periodStart }) => new Date(periodStart).toISOString().slice(5));
  // 13:00 in Vienna, in winter and in summer.
  expect(new Set(days.map((day) => day.slice(3)))).toEqual(new Set(["04T12:00:00.000Z", "04T11:00:00.000Z"]));
  const charges = await world.runtime.db.read
    .select()
    .from(transactions)
    .where(eq(transactions.organizationId, acme.id));
  const paid = charges.filter(({ type, amountCaptured }) => type === "payment" && amountCaptured > 0);
  expect(paid).toHaveLength(cycles.length);
  expect(new Set(paid.map(({ paymentId }) => paymentId)).size).toBe(cycles.length);
  const kinds = (await world.runtime.db.read.select().from(mails).where(eq(mails.organizationId, acme.id))).map(
    ({ kind }) => kind,
  );
  expect(kinds.filter((kind) => kind === "renewal_failed")).toHaveLength(2);
  expect(kinds.filter((kind) => kind === "trial_ending")).toHaveLength(1);
  expect(await eventsOf(id)).toEqual(
    expect.arrayContaining(["created", "trial_ending", "past_due", "renewed", "paused", "resumed", "canceled"]),
  );
}, 120_000);

describe("a renewal that is not paid", () => {
  it("is tried after 1, 3, 5 and 7 days, and then ends the subscription", async () => {
    const { id } = await subscribe(world, acme.member.actor, {}, card("4000000000000341"));
    await pass("P30D");
    const dates: (string | null)[] = [];
    for (let day = 0; day < 9; day++) {
      const { status, next_charge_at } = await read(id);
      if (status === "past_due" && next_charge_at !== dates.at(-1)) dates.push(next_charge_at);
      await pass("P1D");
    }
    expect(dates).toEqual(["21", "23", "25", "27"].map((day) => `2026-12-${day}T12:00:00.000Z`));
    const ended = await read(id);
    expect(ended).toMatchObject({
      status: "ended",
      end_reason: "payment_failed",
      cycles_done: 1,
      next_charge_at: null,
    });
    expect((await paymentRow(world, ended.latest_payment_id)).status).toBe("canceled");
    expect((await openPage(world, await tokenOf(ended.latest_payment_id))).state).toBe("canceled");
  });

  it("needs the customer where the bank says so, who pays on the page", async () => {
    const { id, payment, token } = await subscribe(world, acme.member.actor, {}, card("4000002760003184"));
    expect((await read(id)).status).toBe("incomplete");
    await confirmOn(world, token);
    expect(await read(id)).toMatchObject({ status: "active", first_payment_id: payment.payment_id });
    await pass("P30D");
    const { latest_payment_id: renewal } = await read(id);
    expect(await paymentRow(world, renewal)).toMatchObject({
      status: "pending",
      lastError: { code: "authentication_required" },
    });
    await payWith(world, await tokenOf(renewal));
    expect(await read(id)).toMatchObject({ status: "active", cycles_done: 2, payment_method: { last4: "4242" } });
  });
});
