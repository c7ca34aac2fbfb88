// Disputes from the payer's card to the payment request, its balances and its API, through the sandbox's events.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { overviewAttention } from "@/server/domains/overview/operations/attention";
import { capturePayment } from "@/server/domains/payments/operations/capture";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { paymentStatus } from "@/server/domains/payments/operations/status";
import { eventTypesOf } from "@/test/events";
import { runJobs } from "@/test/jobs";
import { balancesOf, expectSoundLedger } from "@/test/money";
import { ask, card, goodCard, payWith, transactionsOf } from "@/test/payer";
import { planFault } from "@/test/provider-faults";
import { moveClock } from "@/test/sandbox-clock";
import { simulate } from "@/test/simulating";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { stormEvents } from "./operations/storm";

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

const disputing = card("4000000000000259");
const status = (payment_id: string) => world.call(paymentStatus, acme.member.actor, { payment_id });
const balances = () => balancesOf(world, acme.member.accountId);
const refund = (payment_id: string, amount?: number) =>
  world.call(refundPayment, acme.member.actor, { payment_id, ...(amount === undefined ? {} : { amount }) });

async function paidWith(typed: typeof goodCard): Promise<string> {
  const { payment, token } = await ask(world, acme.member.actor);
  await payWith(world, token, typed);
  return payment.payment_id;
}

it("is opened by its test card soon after the payment", async () => {
  const id = await paidWith(disputing);
  expect(await status(id)).toMatchObject({ status: "paid", dispute_status: "none" });
  await runJobs(world);
  expect(await status(id)).toMatchObject({ status: "paid" });
  await moveClock(world, acme.admin.actor, "PT5S");
  expect(await status(id)).toMatchObject({ status: "disputed", dispute_status: "open" });
  expect(await balances()).toEqual({ held: 1250 });
  await moveClock(world, acme.admin.actor, "P1D");
  expect(await simulate(world, acme, id, "dispute_won")).toMatchObject({ status: "paid", amount_disputed: 0 });
  expect(await balances()).toEqual({ available: 1250 });
});

it("is not opened by its test card where that is only stored", async () => {
  const subscription = { interval: "month", interval_count: 1, trial_days: 10 } as const;
  const { payment, token } = await ask(world, acme.member.actor, { type: "subscription", subscription });
  await payWith(world, token, disputing);
  await moveClock(world, acme.admin.actor, "PT5S");
  // Throws if the event comes again and again.
  await runJobs(world);
  expect(await status(payment.payment_id)).toMatchObject({ status: "paid", dispute_status: "none" });
});

it("is opened by its test card after an authorization is captured", async () => {
  const { payment, token } = await ask(world, acme.member.actor, { capture_method: "manual" });
  await payWith(world, token, disputing);
  await moveClock(world, acme.admin.actor, "PT1M");
  await world.call(capturePayment, acme.member.actor, { payment_id: payment.payment_id, amount: 1000 });
  await moveClock(world, acme.admin.actor, "PT5S");
  const disputed = { status: "disputed", dispute_status: "open" };
  expect(await status(payment.payment_id)).toMatchObject(disputed);
  expect(await balances()).toEqual({ held: 1000 });
});

it("is opened by its test card however the money was taken: by a simulated capture too", async () => {
  const { payment, token } = await ask(world, acme.member.actor, { capture_method: "manual" });
  await payWith(world, token, disputing);
  await moveClock(world, acme.admin.actor, "PT1M");
  const id = payment.payment_id;
  expect(await simulate(world, acme, id, "capture")).toMatchObject({ status: "paid", amount_paid: 1250 });
  await runJobs(world);
  expect(await status(id)).toMatchObject({ status: "paid", dispute_status: "none" });
  await moveClock(world, acme.admin.actor, "PT4S");
  expect(await status(id)).toMatchObject({ dispute_status: "none" });
  await moveClock(world, acme.admin.actor, "PT1S");
  expect(await status(id)).toMatchObject({ status: "disputed", dispute_status: "open" });
  expect(await balances()).toEqual({ held: 1250 });
  expect(await simulate(world, acme, id, "dispute_lost")).toMatchObject({ status: "disputed" });
  expect(await status(id)).toMatchObject({ status: "disputed", dispute_status: "lost" });
});

it("says what was disputed, in the request, its status, its list and the home page, and in its history", async () => {
  const id = await paidWith(goodCard);
  await refund(id, 250);
  const open = { status: "disputed", amount_disputed: 1000, amount_refunded: 250, amount_due: 0 };
  expect(await simulate(world, acme, id, "dispute")).toMatchObject(open);
  expect(await refusalOf(refund(id, 1))).toBe("payment_disputed");
  expect(await refusalOf(refund(id))).toBe("payment_disputed");
  const count = async () => (await world.call(overviewAttention, acme.member.actor, {})).open_disputes;
  expect(await count()).toBe(1);
  const { data } = await world.call(listPaymentRequests, acme.member.actor, { status: ["disputed"] });
  expect(data.map(({ payment_id }) => payment_id)).toEqual([id]);
  expect(await simulate(world, acme, id, "dispute_lost")).toMatchObject({ status: "disputed", amount_disputed: 1000 });
  expect(await status(id)).toMatchObject({ dispute_status: "lost" });
  expect(await count()).toBe(0);
  expect(await balances()).toEqual({});
  const payment = (await transactionsOf(world, id)).find(({ type }) => type === "payment");
  expect((await eventTypesOf(world, payment?.id ?? "")).slice(-2)).toEqual(["dispute.opened", "dispute.lost"]);
});

it("that is lost leaves what was captured besides it to be refunded", async () => {
  const id = await paidWith(goodCard);
  // The sandbox counts a refund that it has received, and that fails later.
  await refund(id, 250);
  await simulate(world, acme, id, "dispute");
  await simulate(world, acme, id, "refund_fail");
  expect(await status(id)).toMatchObject({ status: "disputed" });
  expect(await simulate(world, acme, id, "dispute_lost")).toMatchObject({
    status: "disputed",
    amount_refunded: 0,
  });
  expect(await balances()).toEqual({ available: 250 });
  await refund(id);
  expect(await status(id)).toMatchObject({ status: "disputed", amount_refunded: 250 });
});

it("makes a refund that arrives after it fail", async () => {
  const id = await paidWith(goodCard);
  const isLost = planFault("refund", "reset", "before");
  await refund(id, 250);
  await isLost;
  await simulate(world, acme, id, "dispute");
  expect(await balances()).toEqual({ available: -250, held: 1250, refund_pending: 250 });
  await simulate(world, acme, id, "settle");
  expect(await balances()).toEqual({ held: 1250 });
  expect(await simulate(world, acme, id, "dispute_lost")).toMatchObject({ status: "disputed", amount_refunded: 0 });
  await runJobs(world);
  expect(await balances()).toEqual({});
});

it("that is repeated in a storm changes nothing", async () => {
  const [lost, open] = [await paidWith(goodCard), await paidWith(disputing)];
  await simulate(world, acme, lost, "dispute");
  await simulate(world, acme, lost, "dispute_lost");
  await moveClock(world, acme.admin.actor, "PT1M");
  const before = [await status(lost), await status(open), await balances()];
  const answer = await world.call(stormEvents, acme.admin.actor, { duplicates: 5, shuffle: true });
  expect(answer).toMatchObject({ changed: 0 });
  expect([await status(lost), await status(open), await balances()]).toEqual(before);
});
