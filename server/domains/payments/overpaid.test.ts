// A payment request's surplus: announced at once, shown until it is refunded, and refunded exactly.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChargeResult } from "@/server/domains/providers/provider";
import { sandboxProvider } from "@/server/domains/providers/sandbox";
import type { Failure } from "@/server/kit/errors";
import { eventTypesOf } from "@/test/events";
import { runJobs } from "@/test/jobs";
import { balancesOf, beginCharge, create, expectSoundLedger, settleNow } from "@/test/money";
import { ask, card, goodCard, paymentRow, payWith, transactionsOf } from "@/test/payer";
import { expectOneTruth } from "@/test/payment-truth";
import { openWorld, type TestOrganization, type TestUser, type World } from "@/test/world";
import { capturePayment } from "./operations/capture";
import { getPayment } from "./operations/get";
import { listPaymentRequests } from "./operations/list";
import { refundPayment } from "./operations/refund";
import { refundSurplus as refundSurplusOperation } from "./operations/refund-surplus";
import { overpaidPayments } from "./operations/surplus";

let world: World;
let acme: TestOrganization;
let user: TestUser;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  world.clock.advance(1000);
  acme = await world.organization();
  user = acme.member;
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const get = (payment_id: string) => world.call(getPayment, user.actor, { payment_id });

/** What the dashboard shows as overpaid: as much as the list with that filter. */
async function attention(who: TestUser = acme.admin) {
  const shown = await world.call(overpaidPayments, who.actor, {});
  const listed = (overpaid: boolean) =>
    world.call(listPaymentRequests, who.actor, { overpaid, include_total: true, limit: 100 });
  const { data, total_count } = await listed(true);
  expect(total_count).toBe(shown.total_count);
  expect(data.map(({ payment_id }) => payment_id).reverse()).toEqual(shown.data.map(({ payment_id }) => payment_id));
  for (const row of data) expect(row.amount_overpaid).toBeGreaterThan(0);
  for (const row of (await listed(false)).data) expect(row.amount_overpaid).toBe(0);
  return shown;
}

/** A charge with this card that the provider makes after it was given up. */
async function lateCharge(paymentId: string, amount: number, typed = goodCard): Promise<() => Promise<void>> {
  const attempt = await beginCharge(world, user, { paymentId, amount, status: "failed", settledAt: world.clock.now() });
  const sandbox = sandboxProvider(world.runtime, false);
  const request = { idempotencyKey: attempt.id, amount, currency: "EUR", captureMethod: "automatic" } as const;
  return async () => {
    const made: ChargeResult = await sandbox.start({ ...request, details: typed });
    await settleNow(world, attempt.id, made);
  };
}

/** A paid payment request for 1250 that is charged once more. Refunds of the second charge behave as its card says. */
async function twicePaid(typed = goodCard) {
  const { payment, token } = await ask(world, user.actor, { description: "Workshop" });
  const { payment_id: id } = payment;
  const arrive = await lateCharge(id, 1250, typed);
  world.clock.advance(1000);
  await payWith(world, token, typed);
  world.clock.advance(1000);
  expect(await get(id)).toMatchObject({ status: "paid", amount_overpaid: 0 });
  expect(await attention()).toEqual({ data: [], total_count: 0 });
  await arrive();
  return id;
}

/** Refunds the surplus as the dashboard's button does. */
async function refundSurplus(id: string) {
  const line = (await attention()).data.find((one) => one.payment_id === id);
  for (const { transaction_id, amount } of line?.refunds ?? []) {
    await world.call(refundSurplusOperation, acme.admin.actor, { payment_id: id, transaction_id, amount });
  }
}

describe("a payment request that is charged twice", () => {
  it("shows and announces its surplus, and is listed until that is refunded", async () => {
    const id = await twicePaid();
    const seen = { status: "paid", amount: 1250, amount_paid: 2500, amount_due: 0, amount_overpaid: 1250 };
    expect(await get(id)).toMatchObject(seen);
    expect(await eventTypesOf(world, id)).toEqual([
      "payment.created",
      "payment.processing",
      "payment.paid",
      "payment.overpaid",
    ]);
    const [, second] = (await transactionsOf(world, id)).sort((a, b) => (a.settledAt ?? 0) - (b.settledAt ?? 0));
    const refunds = [{ transaction_id: second?.id, amount: 1250 }];
    const line = { payment_id: id, description: "Workshop", currency: "EUR", amount_overpaid: 1250, refunds };
    expect(await attention()).toEqual({ data: [line], total_count: 1 });
    expect(await attention(user)).toEqual({ data: [line], total_count: 1 });
    for (const other of [acme.other, (await world.organization()).admin]) {
      expect(await attention(other)).toEqual({ data: [], total_count: 0 });
    }
    world.clock.advance(400 * 86_400_000);
    await runJobs(world);
    expect((await attention()).data).toEqual([line]);
    await refundSurplus(id);
    expect(await get(id)).toMatchObject({ amount_paid: 2500, amount_refunded: 1250, amount_overpaid: 0 });
    expect(await attention()).toEqual({ data: [], total_count: 0 });
    expect(await balancesOf(world, user.accountId)).toEqual({ available: 1250 });
    await expectOneTruth(world, id);
  });

  it("stays overpaid by the rest after a partial refund", async () => {
    const id = await twicePaid();
    const [payment] = await transactionsOf(world, id);
    const refund = (amount: number) =>
      world.call(refundPayment, user.actor, { payment_id: id, transaction_id: payment?.id, amount });
    await refund(250);
    expect(await get(id)).toMatchObject({ amount_overpaid: 1000 });
    await refundSurplus(id);
    expect(await get(id)).toMatchObject({ amount_refunded: 1250, amount_overpaid: 0 });
  });

  it("is refunded once, even if several people click on the same line", async () => {
    for (const typed of [goodCard, card("4000000000007726")]) {
      const id = await twicePaid(typed);
      const [payment] = await transactionsOf(world, id);
      const part = { payment_id: id, transaction_id: payment?.id, amount: 1000 };
      await world.call(refundPayment, user.actor, part);
      const [refund] = (await attention()).data[0]?.refunds ?? [];
      if (!refund) throw new Error("No surplus is offered.");
      const click = (who: TestUser) =>
        world.call(refundSurplusOperation, who.actor, { payment_id: id, ...refund }).then(
          () => "made",
          (error: Failure) => error.code,
        );
      const answers = await Promise.all([click(acme.admin), click(user)]);
      expect(answers.sort()).toEqual(["made", "refund_exceeds_captured"]);
      expect(await click(user)).toBe("refund_exceeds_captured");
      world.clock.advance(5_000);
      await runJobs(world);
      expect(await get(id)).toMatchObject({ amount_refunded: 1250, amount_overpaid: 0 });
      acme = await world.organization();
      user = acme.member;
    }
  });

  it("is overpaid until the provider has confirmed the refund, which is not offered twice", async () => {
    const id = await twicePaid(card("4000000000007726"));
    await refundSurplus(id);
    expect(await get(id)).toMatchObject({ amount_overpaid: 1250 });
    expect((await attention()).data).toMatchObject([{ amount_overpaid: 1250, refunds: [] }]);
    world.clock.advance(5_000);
    await runJobs(world);
    expect(await get(id)).toMatchObject({ amount_overpaid: 0 });
    expect((await attention()).data).toEqual([]);
  });

  it("is overpaid again when the refund is returned", async () => {
    const id = await twicePaid(card("4000000000005126"));
    await refundSurplus(id);
    expect(await get(id)).toMatchObject({ amount_overpaid: 0 });
    world.clock.advance(5_000);
    await runJobs(world);
    expect(await get(id)).toMatchObject({ status: "paid", amount_overpaid: 1250 });
    expect((await eventTypesOf(world, id)).filter((type) => type === "payment.overpaid")).toHaveLength(2);
    expect((await attention()).data).toMatchObject([{ refunds: [{ amount: 1250 }] }]);
  });

  it("does not count refunds from before there was a surplus", async () => {
    const { payment, token } = await ask(world, user.actor, { amount: 1000 });
    const { payment_id: id } = payment;
    const offline = await create(world, user.actor, { type: "payment", payment_id: id, amount: 400, currency: "EUR" });
    await create(world, user.actor, { type: "refund", parent_transaction_id: offline.transaction_id, amount: 100 });
    const arrive = await lateCharge(id, 600);
    await payWith(world, token);
    world.clock.advance(1000);
    await arrive();
    expect(await get(id)).toMatchObject({ amount_paid: 1600, amount_refunded: 100, amount_overpaid: 600 });
    await refundSurplus(id);
    expect(await get(id)).toMatchObject({ amount_refunded: 700, amount_overpaid: 0 });
    expect(await balancesOf(world, user.accountId)).toEqual({ available: 900 });
    await expectOneTruth(world, id);
  });

  it("is refunded from several payments if one is not enough", async () => {
    const id = await twicePaid();
    await (await lateCharge(id, 1250))();
    expect(await get(id)).toMatchObject({ amount_paid: 3750, amount_overpaid: 2500 });
    expect((await attention()).data).toMatchObject([{ refunds: [{ amount: 1250 }, { amount: 1250 }] }]);
    await refundSurplus(id);
    expect(await get(id)).toMatchObject({ amount_refunded: 2500, amount_overpaid: 0 });
    expect((await paymentRow(world, id)).status).toBe("partially_refunded");
  });

  it("is overpaid by the whole second charge if the first was captured in part", async () => {
    const { payment, token } = await ask(world, user.actor, { capture_method: "manual" });
    const { payment_id: id } = payment;
    const arrive = await lateCharge(id, 1250);
    world.clock.advance(1000);
    await payWith(world, token);
    await world.call(capturePayment, user.actor, { payment_id: id, amount: 700 });
    expect(await get(id)).toMatchObject({ status: "paid", amount_paid: 700, amount_due: 0, amount_overpaid: 0 });
    world.clock.advance(1000);
    await arrive();
    expect(await get(id)).toMatchObject({ amount_paid: 1950, amount_overpaid: 1250 });
    await refundSurplus(id);
    expect(await balancesOf(world, user.accountId)).toEqual({ available: 700 });
    const [late] = (await transactionsOf(world, id)).filter((row) => row.status === "refunded");
    expect(late).toMatchObject({ amountCaptured: 1250, amountRefunded: 1250 });
    await expectOneTruth(world, id);
  });
});
