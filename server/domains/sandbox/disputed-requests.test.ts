// What a dispute leaves of a payment request: its surplus, its events, its pages, and its end.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { closeAccount } from "@/server/domains/closing/operations/close-account";
import { getPayment } from "@/server/domains/payments/operations/get";
import { paymentReceipt } from "@/server/domains/payments/operations/receipt";
import { refundSurplus } from "@/server/domains/payments/operations/refund-surplus";
import { overpaidPayments } from "@/server/domains/payments/operations/surplus";
import { sandboxProvider } from "@/server/domains/providers/sandbox";
import { eventTypesOf } from "@/test/events";
import { runJobs } from "@/test/jobs";
import { balancesOf, beginCharge, expectSoundLedger, settleNow } from "@/test/money";
import { anyone, ask, card, goodCard, openPage, payPart, payWith, transactionsOf } from "@/test/payer";
import { moveClock } from "@/test/sandbox-clock";
import { simulate } from "@/test/simulating";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";

let world: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  world.clock.advance(1000);
  acme = await world.organization();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const get = (payment_id: string) => world.call(getPayment, acme.admin.actor, { payment_id });
const inParts = () => ask(world, acme.member.actor, { allow_partial: true, minimum_amount: 100 });

/** A payment request that was paid twice, because a charge that seemed to have failed succeeded. */
async function paidTwice(): Promise<string> {
  const { payment, token } = await ask(world, acme.member.actor);
  const late = { paymentId: payment.payment_id, amount: 1250, status: "failed", settledAt: world.clock.now() } as const;
  const attempt = await beginCharge(world, acme.member, late);
  world.clock.advance(1000);
  await payWith(world, token);
  world.clock.advance(1000);
  const made = await sandboxProvider(world.runtime, false).start({
    ...{ idempotencyKey: attempt.id, amount: 1250, currency: "EUR", captureMethod: "automatic", details: goodCard },
  });
  await settleNow(world, attempt.id, made);
  return payment.payment_id;
}

it("offers no surplus that a dispute may take, or has taken", async () => {
  const id = await paidTwice();
  const [paid] = await transactionsOf(world, id);
  await simulate(world, acme, id, "dispute");
  const offered = async () => (await world.call(overpaidPayments, acme.admin.actor, {})).data;
  expect(await offered()).toMatchObject([{ amount_overpaid: 1250, refunds: [] }]);
  const refund = { payment_id: id, transaction_id: paid?.id ?? "", amount: 1250 };
  expect(await refusalOf(world.call(refundSurplus, acme.admin.actor, refund))).toBe("payment_disputed");
  expect(await simulate(world, acme, id, "dispute_lost")).toMatchObject({
    amount_overpaid: 0,
    status: "partially_refunded",
  });
  expect(await offered()).toEqual([]);
  expect(await balancesOf(world, acme.member.accountId)).toEqual({ available: 1250 });
});

it("announces money that arrives while another part is disputed", async () => {
  const { payment, token } = await inParts();
  const id = payment.payment_id;
  await payPart(world, token, "own", 500);
  world.clock.advance(1000);
  await payPart(world, token, "own", 300, card("4000002760003184"));
  await simulate(world, acme, id, "dispute");
  expect(await simulate(world, acme, id, "settle")).toMatchObject({ status: "disputed", amount_paid: 800 });
  expect((await eventTypesOf(world, id)).filter((type) => type === "payment.partially_paid")).toHaveLength(2);
});

it("is not paid on its page while something is due", async () => {
  const { payment, token } = await inParts();
  await payPart(world, token, "own", 500);
  await simulate(world, acme, payment.payment_id, "dispute");
  expect((await openPage(world, token)).state).toBe("unavailable");
  await simulate(world, acme, payment.payment_id, "dispute_won");
  expect((await openPage(world, token)).state).toBe("open");
});

it("ends a disputed request with its account", async () => {
  const { payment, token } = await inParts();
  const id = payment.payment_id;
  await payPart(world, token, "own", 500);
  await simulate(world, acme, id, "dispute");
  await world.call(closeAccount, acme.admin.actor, { account_id: acme.member.accountId });
  await runJobs(world);
  expect(await simulate(world, acme, id, "dispute_won")).toMatchObject({ status: "canceled" });
  expect((await eventTypesOf(world, id)).filter((type) => type === "payment.canceled")).toHaveLength(1);
});

it("announces once that time ended a request that was disputed", async () => {
  for (const early of [true, false]) {
    const { payment, token } = await inParts();
    const id = payment.payment_id;
    await payPart(world, token, "own", 500);
    if (!early) await simulate(world, acme, id, "dispute");
    await moveClock(world, acme.admin.actor, "P60D");
    await runJobs(world);
    if (early) await simulate(world, acme, id, "dispute");
    await simulate(world, acme, id, "dispute_won");
    expect((await get(id)).status).toBe("expired");
    expect((await eventTypesOf(world, id)).filter((type) => type === "payment.expired")).toHaveLength(1);
  }
});

it("is returned on the receipt and the pay page once it is lost", async () => {
  const { payment, token } = await ask(world, acme.member.actor);
  const receipt = () => world.call(paymentReceipt, anyone, { token });
  await payWith(world, token);
  await simulate(world, acme, payment.payment_id, "dispute");
  expect(await receipt()).toMatchObject({ amount_charged_back: 0 });
  await simulate(world, acme, payment.payment_id, "dispute_lost");
  expect(await receipt()).toMatchObject({ amount_charged_back: 1250, amount_refunded: 0 });
  expect(await openPage(world, token)).toMatchObject({ state: "refunded", amount_charged_back: 1250 });
});

it("is returned on the receipt even while another payment of the request is disputed", async () => {
  const { payment, token } = await inParts();
  const receipt = (transaction_id: string | null = null) =>
    world.call(paymentReceipt, anyone, { token, transaction_id });
  await payPart(world, token, "own", 500);
  await simulate(world, acme, payment.payment_id, "dispute");
  await simulate(world, acme, payment.payment_id, "dispute_lost");
  world.clock.advance(1000);
  await payPart(world, token, "own", 300);
  expect(await simulate(world, acme, payment.payment_id, "dispute")).toMatchObject({
    status: "disputed",
    amount_disputed: 800,
  });
  expect(await receipt()).toMatchObject({ amount_paid: 800, amount_charged_back: 500 });
  const [first, second] = (await receipt()).payments;
  expect(await receipt(first?.transaction_id)).toMatchObject({ amount_paid: 500, amount_charged_back: 500 });
  expect(await receipt(second?.transaction_id)).toMatchObject({ amount_paid: 300, amount_charged_back: 0 });
  expect(await openPage(world, token)).toMatchObject({ state: "unavailable", amount_charged_back: 500 });
});
