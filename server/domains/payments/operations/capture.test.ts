// Capturing an authorization: in full or in part, once and in time; and the refund endpoint of a payment request.
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditEntries } from "@/db/tables";
import { getTransaction } from "@/server/domains/transactions/operations/get";
import { runJobs } from "@/test/jobs";
import { balancesOf, create, expectSoundLedger } from "@/test/money";
import { ask, card, journalEventsOf, openPage, paymentRow, payWith, transactionsOf } from "@/test/payer";
import { openWorld, refusalOf, type TestOrganization, type TestUser, type World } from "@/test/world";
import { cancelPayment } from "./cancel";
import { capturePayment } from "./capture";
import { refundPayment } from "./refund";

let world: World;
let acme: TestOrganization;
let user: TestUser;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "10000", PAY_FAILURES_PER_LINK: "10000" });
  acme = await world.organization();
});
beforeEach(async () => {
  world.clock.advance(1000);
  user = await world.user(acme.id);
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

async function authorized(amount = 1250, number = "4242424242424242") {
  const { payment, token } = await ask(world, user.actor, { capture_method: "manual", amount });
  await payWith(world, token, card(number));
  return { id: payment.payment_id, token };
}

const capture = (payment_id: string, amount?: number, key?: string) =>
  world.call(capturePayment, user.actor, { payment_id, amount }, key ? { idempotencyKey: key } : {});

describe("200", () => {
  it("captures the full authorization", async () => {
    const { id, token } = await authorized();
    expect(await balancesOf(world, user.accountId)).toEqual({ "memo:auth_open": 1250 });
    const answer = await capture(id);
    expect(answer).toMatchObject({ status: "paid", amount_paid: 1250, amount_capturable: 0, amount_released: 0 });
    expect(await balancesOf(world, user.accountId)).toEqual({ available: 1250 });
    const [charge] = await transactionsOf(world, id);
    expect(charge).toMatchObject({ status: "succeeded", amountCaptured: 1250, captureRequested: null });
    expect(await journalEventsOf(world, charge?.id ?? "")).toEqual(["authorization_opened", "payment_captured"]);
    expect((await openPage(world, token)).state).toBe("paid");
  });

  it("records in the audit log who decided it, at the decision", async () => {
    const { id } = await authorized();
    const [hold] = await transactionsOf(world, id);
    await capture(id, 1000);
    const trail = world.runtime.db.read.select().from(auditEntries);
    const ofCapture = and(eq(auditEntries.targetId, id), eq(auditEntries.operation, "payments.capture"));
    const entries = await trail.where(ofCapture);
    // With a stopped clock, entries have no order.
    const inOrder = entries.sort((a, b) => Number("captured" in a.detail) - Number("captured" in b.detail));
    expect(inOrder.map(({ detail, actorType, actorId }) => ({ detail, actorType, actorId }))).toEqual([
      { detail: { transaction: hold?.id, amount: 1000 }, actorType: "user", actorId: user.id },
      { detail: { captured: 1000 }, actorType: "user", actorId: user.id },
    ]);
  });

  it("captures a part and releases the rest, which is no longer due", async () => {
    const { id } = await authorized();
    const answer = await capture(id, 1000);
    expect(answer).toMatchObject({
      status: "paid",
      amount: 1250,
      amount_paid: 1000,
      amount_due: 0,
      amount_released: 250,
      amount_capturable: 0,
    });
    expect(await balancesOf(world, user.accountId)).toEqual({ available: 1000 });
    const [transaction_id = ""] = answer.transaction_ids;
    const charge = await world.call(getTransaction, user.actor, { transaction_id });
    expect(charge).toMatchObject({ amount: 1250, amount_captured: 1000, net_amount: 1000 });
  });

  it("captures once if it is repeated with its Idempotency-Key", async () => {
    const { id } = await authorized();
    const first = await capture(id, 700, "capture-once");
    expect(await capture(id, 700, "capture-once")).toEqual(first);
    expect(await balancesOf(world, user.accountId)).toEqual({ available: 700 });
  });

  it("leaves the worker only a look-up that changes nothing", async () => {
    const { id } = await authorized();
    await capture(id);
    const before = await paymentRow(world, id);
    world.clock.advance(8 * 86_400_000);
    await runJobs(world);
    expect(await paymentRow(world, id)).toEqual(before);
  });
});

describe("400", () => {
  it("for a payment request that does not exist, that the caller does not see or that is not authorized", async () => {
    const { id } = await authorized();
    const other = await world.organization();
    for (const actor of [acme.other.actor, other.admin.actor]) {
      expect(await refusalOf(world.call(capturePayment, actor, { payment_id: id }))).toBe("payment_not_found");
    }
    expect(await refusalOf(capture(world.id("pay")))).toBe("payment_not_found");
    const open = await ask(world, user.actor, { capture_method: "manual" });
    expect(await refusalOf(capture(open.payment.payment_id))).toBe("payment_not_capturable");
    await world.call(cancelPayment, user.actor, { payment_id: id });
    expect(await refusalOf(capture(id))).toBe("payment_not_capturable");
  });

  it("for more than is authorized, and for a second capture", async () => {
    const { id } = await authorized();
    expect(await refusalOf(capture(id, 1251))).toBe("capture_exceeds_authorization");
    await capture(id, 1250);
    expect(await refusalOf(capture(id, 1))).toBe("already_captured");
  });

  it("for an authorization from the instant on at which it lapses", async () => {
    const { id } = await authorized();
    const { captureBefore } = await paymentRow(world, id);
    world.clock.advance((captureBefore ?? 0) - world.clock.now());
    expect(await refusalOf(capture(id))).toBe("authorization_expired");
    await runJobs(world);
    expect(await refusalOf(capture(id))).toBe("authorization_expired");
    expect(await paymentRow(world, id)).toMatchObject({ status: "expired", amountReleased: 1250, amountPaid: 0 });
    expect(await balancesOf(world, user.accountId)).toEqual({});
  });

  it("for the same reasons after a part was paid offline", async () => {
    const { payment, token } = await ask(world, user.actor, { capture_method: "manual" });
    const { payment_id } = payment;
    await create(world, user.actor, { type: "payment", payment_id, amount: 250, currency: "EUR" });
    expect(await refusalOf(capture(payment_id))).toBe("payment_not_capturable");
    await payWith(world, token);
    const { captureBefore } = await paymentRow(world, payment_id);
    world.clock.advance((captureBefore ?? 0) - world.clock.now());
    expect(await refusalOf(capture(payment_id))).toBe("authorization_expired");
    await runJobs(world);
    expect(await refusalOf(capture(payment_id))).toBe("authorization_expired");
  });
});

describe("a refund of a payment request", () => {
  const refund = (payment_id: string, more: { amount?: number; transaction_id?: string } = {}) =>
    world.call(refundPayment, user.actor, { payment_id, reason: "duplicate", ...more });

  it("is a transaction of type refund, in parts until nothing is left", async () => {
    const { id } = await authorized();
    await capture(id);
    const first = await refund(id, { amount: 250 });
    const [charge] = (await transactionsOf(world, id)).filter((row) => row.type === "payment");
    expect(first).toMatchObject({
      type: "refund",
      status: "succeeded",
      amount: 250,
      reason: "duplicate",
      payment_id: id,
      parent_transaction_id: charge?.id,
    });
    expect((await paymentRow(world, id)).status).toBe("partially_refunded");
    expect(await refusalOf(refund(id, { amount: 1001 }))).toBe("refund_exceeds_captured");
    expect(await refund(id)).toMatchObject({ amount: 1000 });
    expect((await paymentRow(world, id)).status).toBe("refunded");
    expect(await refusalOf(refund(id))).toBe("refund_exceeds_captured");
    expect(await balancesOf(world, user.accountId)).toEqual({});
  });

  it("must name its payment if there are several", async () => {
    const { payment } = await ask(world, user.actor);
    const { payment_id } = payment;
    const part = { type: "payment", currency: "EUR", payment_id } as const;
    await create(world, user.actor, { ...part, amount: 250 });
    const second = await create(world, user.actor, { ...part, amount: 1000 });
    expect(await refusalOf(refund(payment_id))).toBe("invalid_request");
    expect(await refusalOf(refund(payment_id, { transaction_id: world.id("txn") }))).toBe("transaction_not_found");
    const { transaction_id } = second;
    expect(await refund(payment_id, { transaction_id })).toMatchObject({ amount: 1000 });
    expect(await refund(payment_id)).toMatchObject({ amount: 250 });
  });

  it("that the provider makes slowly is pending until the provider confirms it", async () => {
    const { id } = await authorized(1250, "4000000000007726");
    await capture(id);
    expect(await refund(id)).toMatchObject({ status: "pending" });
    expect(await balancesOf(world, user.accountId)).toEqual({ refund_pending: 1250 });
    world.clock.advance(5000);
    await runJobs(world);
    expect(await paymentRow(world, id)).toMatchObject({ status: "refunded", amountRefunded: 1250 });
    expect(await balancesOf(world, user.accountId)).toEqual({});
  });

  it("that is returned restores the money and the payment request", async () => {
    const { id } = await authorized(1250, "4000000000005126");
    await capture(id);
    expect(await refund(id)).toMatchObject({ status: "succeeded" });
    expect((await paymentRow(world, id)).status).toBe("refunded");
    world.clock.advance(5000);
    await runJobs(world);
    expect(await paymentRow(world, id)).toMatchObject({ status: "paid", amountRefunded: 0 });
    expect(await balancesOf(world, user.accountId)).toEqual({ available: 1250 });
    const [failed] = (await transactionsOf(world, id)).filter((row) => row.type === "refund");
    expect(failed).toMatchObject({ status: "failed", failure: { code: "expired_or_canceled_card" } });
  });
});
