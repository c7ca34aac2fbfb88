// Reusable links: their uses, places and sums, and what becomes of uses that are not paid.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { minuteMs } from "@/server/kit/limits";
import { eventTypesOf } from "@/test/events";
import { runJobs } from "@/test/jobs";
import { anyFailures, askMany, linkForm, payUse, sendUse } from "@/test/link-payer";
import { cancelRequest, refundRequest } from "@/test/merchant";
import { expectSoundLedger } from "@/test/money";
import {
  card,
  declineForGood,
  formToken,
  goodCard,
  openPage,
  paymentRow,
  payWith,
  submit,
  tokenOf,
  transactionsOf,
} from "@/test/payer";
import { openWorld, refusalOf, type TestUser, type World } from "@/test/world";
import { getPayment } from "../operations/get";
import { listPaymentRequests } from "../operations/list";
import { markPaid } from "../operations/mark-paid";
import { updatePaymentRequest } from "../operations/update";
import { updatePayment } from "../store";

let world: World;
let member: TestUser;
beforeAll(async () => {
  world = await openWorld(anyFailures);
  member = (await world.organization()).member;
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const declined = card("4000000000000002");
const challenged = card("4000002760003184");
const read = (payment_id: string) => world.call(getPayment, member.actor, { payment_id });
const usesOf = async (parent_payment_id: string) =>
  (await world.call(listPaymentRequests, member.actor, { parent_payment_id, limit: 100 })).data;

describe("a reusable link", () => {
  it("makes a payment request of its own for each payer, and sums them up", async () => {
    const { payment, token } = await askMany(world, member.actor, { usage_limit: 2 });
    expect(payment).toMatchObject({
      ...{ status: "pending", amount: 1250, amount_due: 0, amount_paid: 0, usage_limit: 2, uses_count: 0 },
      ...{ custom_amount: null, parent_payment_id: null, transaction_ids: [], receipt_url: null },
    });
    const first = await payUse(world, token);
    expect(first).toMatchObject({ result: "submitted", problems: [] });
    const use = await read(first.payment_id);
    expect(use).toMatchObject({
      ...{ status: "paid", amount: 1250, amount_paid: 1250, usage_limit: 1, parent_payment_id: payment.payment_id },
      customer: { name: "Grace Hopper", email: "grace@example.com" },
    });
    expect(use.payment_url).toBe(first.payment_url);
    expect(await read(payment.payment_id)).toMatchObject({ status: "pending", uses_count: 1, amount_paid: 1250 });
    const second = await payUse(world, token, { name: "", email: "ada@example.com" });
    expect(await read(payment.payment_id)).toMatchObject({
      ...{ status: "paid", uses_count: 2, uses_reserved: 0, amount_paid: 2500, amount_due: 0, transaction_ids: [] },
    });
    await refundRequest(world, member.actor, second.payment_id);
    expect(await read(payment.payment_id)).toMatchObject({ status: "paid", uses_count: 2, amount_refunded: 1250 });
    expect((await openPage(world, token)).state).toBe("used_up");
    expect((await usesOf(payment.payment_id)).map((one) => one.payment_id).sort()).toEqual(
      [second.payment_id, first.payment_id].sort(),
    );
    expect(await transactionsOf(world, payment.payment_id)).toEqual([]);
  });

  it("gives a place back when the card is declined, and the payer goes on with the same use", async () => {
    const { payment, token } = await askMany(world, member.actor, { usage_limit: 2 });
    const { payment_id, payment_url } = await payUse(world, token, declined);
    expect(await read(payment_id)).toMatchObject({ status: "pending", last_error: { code: "card_declined" } });
    expect(await paymentRow(world, payment_id)).toMatchObject({ place: null, isIdle: true });
    expect(await read(payment.payment_id)).toMatchObject({ uses_count: 0, uses_reserved: 0 });
    await payWith(world, tokenOf(payment_url));
    expect(await read(payment_id)).toMatchObject({ status: "paid" });
    expect(await paymentRow(world, payment_id)).toMatchObject({ place: "taken", isIdle: false, payerKey: null });
    expect(await read(payment.payment_id)).toMatchObject({ uses_count: 1 });
    expect(await usesOf(payment.payment_id)).toHaveLength(1);
  });

  it("keeps a place for fifteen minutes while the payer confirms, and shows others that it may come free", async () => {
    const { payment, token } = await askMany(world, member.actor, { usage_limit: 2 });
    await payUse(world, token);
    const { payment_id } = await payUse(world, token, challenged);
    expect(await read(payment.payment_id)).toMatchObject({ status: "pending", uses_count: 1, uses_reserved: 1 });
    expect((await openPage(world, token)).state).toBe("taken");
    world.clock.advance(16 * minuteMs);
    await runJobs(world);
    expect(await read(payment_id)).toMatchObject({ status: "pending" });
    expect(await read(payment.payment_id)).toMatchObject({ uses_count: 1, uses_reserved: 0 });
    expect((await openPage(world, token)).state).toBe("open");
  });

  it("answers a form that is sent twice once", async () => {
    const { payment, token } = await askMany(world, member.actor);
    const form = await linkForm(world, token);
    const [first, second] = await Promise.all([sendUse(world, form), sendUse(world, form)]);
    expect(second).toEqual(first);
    expect(await usesOf(payment.payment_id)).toHaveLength(1);
  });

  it("refuses a payer whose place was taken meanwhile, also one who was declined before", async () => {
    const { token } = await askMany(world, member.actor, { usage_limit: 2 });
    const late = await linkForm(world, token);
    const { payment_id, payment_url } = await payUse(world, token, declined);
    const own = tokenOf(payment_url);
    for (const email of ["a@example.com", "b@example.com"]) await payUse(world, token, { email });
    await expect(sendUse(world, late)).rejects.toMatchObject({ code: "link_used_up" });
    expect((await openPage(world, own)).state).toBe("used_up");
    expect(await transactionsOf(world, payment_id)).toHaveLength(1);
    await expect(
      world.call(markPaid, member.actor, { payment_id, method: "cash", reason: "At the counter" }),
    ).rejects.toMatchObject({ code: "link_used_up" });
  });

  it("counts declines per use: the tenth ends it, and the link goes on", async () => {
    const { payment, token } = await askMany(world, member.actor);
    const { payment_id, payment_url } = await payUse(world, token, declined);
    await declineForGood(world, tokenOf(payment_url)).catch(() => undefined);
    expect(await read(payment_id)).toMatchObject({ status: "failed" });
    await payUse(world, token, { email: "other@example.com" });
    expect(await read(payment.payment_id)).toMatchObject({ uses_count: 1 });
  });

  it("ends for declined payers, too, once it expires earlier than they were told", async () => {
    const { payment, token } = await askMany(world, member.actor);
    const use = await payUse(world, token, declined);
    const expires_at = new Date(world.clock.now() + 10 * minuteMs).toISOString();
    await world.call(updatePaymentRequest, member.actor, { payment_id: payment.payment_id, expires_at });
    const own = tokenOf(use.payment_url);
    const form = await formToken(world, own);
    world.clock.advance(20 * minuteMs);
    expect((await openPage(world, own)).state).toBe("expired");
    expect(await refusalOf(submit(world, own, form, goodCard))).toBe("payment_expired");
    expect(await read(use.payment_id)).toMatchObject({ amount_paid: 0 });
  });

  it("cannot be paid by a declined payer after it was canceled, even before its uses are", async () => {
    const { payment, token } = await askMany(world, member.actor);
    const own = tokenOf((await payUse(world, token, declined)).payment_url);
    const form = await formToken(world, own);
    // As if so many others had been declined that the job cancels this use.
    const set = (change: Parameters<typeof updatePayment>[2]) =>
      world.runtime.db.write(async (tx) => void (await updatePayment(tx, payment.payment_id, change)));
    await set({ canceledAt: world.clock.now(), status: "canceled" });
    expect((await openPage(world, own)).state).toBe("canceled");
    expect(await refusalOf(submit(world, own, form, goodCard))).toBe("payment_not_payable");
    await set({ canceledAt: null, status: "pending" });
  });

  it("cancels the uses that nobody pays with the link, and settles the others", async () => {
    const { payment, token } = await askMany(world, member.actor);
    const idle = await payUse(world, token, declined);
    const confirming = await payUse(world, token, { ...challenged, email: "confirming@example.com" });
    const paid = await payUse(world, token);
    await cancelRequest(world, member.actor, payment.payment_id);
    expect(await read(idle.payment_id)).toMatchObject({ status: "canceled" });
    expect(await read(paid.payment_id)).toMatchObject({ status: "paid" });
    expect(await read(confirming.payment_id)).toMatchObject({ status: "requires_action" });
    expect((await openPage(world, tokenOf(idle.payment_url))).new_link).toBeNull();
    world.clock.advance(16 * minuteMs);
    await runJobs(world);
    expect(await read(confirming.payment_id)).toMatchObject({ status: "canceled" });
    expect(await read(payment.payment_id)).toMatchObject({ status: "canceled", uses_count: 1, uses_reserved: 0 });
  });

  it("takes offline money for a declined use, which is not late", async () => {
    const { payment, token } = await askMany(world, member.actor);
    const { payment_id } = await payUse(world, token, declined);
    await world.call(markPaid, member.actor, { payment_id, method: "cash", reason: "At the counter" });
    expect(await read(payment.payment_id)).toMatchObject({ uses_count: 1, amount_paid: 1250 });
    expect(await eventTypesOf(world, payment_id)).not.toContain("payment.paid_late");
  });
});
