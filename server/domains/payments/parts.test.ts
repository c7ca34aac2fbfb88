// Payment requests that are paid in parts: their terms, each part with its receipt, and how they end.
import { and, asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { events, mails } from "@/db/tables";
import { dayMs, hourMs } from "@/server/kit/limits";
import { iso } from "@/server/process/clock";
import { runJobs } from "@/test/jobs";
import { cancelRequest } from "@/test/merchant";
import { expectSoundLedger } from "@/test/money";
import { anyone, ask, card, openPage, payPart, payWith, type RequestFields, transactionsOf } from "@/test/payer";
import { expectOneTruth } from "@/test/payment-truth";
import { newEmail } from "@/test/people";
import { openWorld, refusalOf, type TestUser, type World } from "@/test/world";
import { getPayment } from "./operations/get";
import { listPaymentRequests } from "./operations/list";
import { markPaid } from "./operations/mark-paid";
import { paymentReceipt } from "./operations/receipt";
import { refundPayment } from "./operations/refund";

let world: World;
let user: TestUser;
beforeAll(async () => {
  world = await openWorld({ PAY_FAILURES_PER_IP: "10000", PAY_FAILURES_PER_LINK: "10000" });
});
beforeEach(async () => {
  user = (await world.organization()).member;
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const inDays = (days: number) => iso(world.clock.now() + days * dayMs);
const plan = (...amounts: number[]) => amounts.map((amount, i) => ({ amount, due_at: inDays(30 * i + 1) }));
const request = (fields: RequestFields) => ask(world, user.actor, { amount: 600, ...fields });
const planned = (fields: RequestFields = {}) => request({ installments: plan(100, 200, 300), ...fields });
const get = (payment_id: string) => world.call(getPayment, user.actor, { payment_id });
const mark = (payment_id: string, amount?: number) =>
  world.call(markPaid, user.actor, { payment_id, amount, method: "cash", reason: "Counter" });
const typesOf = async (id: string) =>
  (
    await world.runtime.db.read
      .select({ type: events.type })
      .from(events)
      .where(eq(events.objectId, id))
      .orderBy(asc(events.sequence))
  ).map(({ type }) => type);
const progressOf = async (id: string) => {
  const { status, amount_paid, amount_due, due_at, installments } = await get(id);
  return {
    status,
    paid: amount_paid,
    due: amount_due,
    due_at,
    parts: installments?.map((one) => [one.amount_paid, one.status]),
  };
};

describe("a request with installments", () => {
  it("is paid one after the other", async () => {
    const { payment, token } = await planned();
    const id = payment.payment_id;
    const [first, second, third] = payment.installments?.map((one) => one.due_at) ?? [];
    expect(await openPage(world, token)).toMatchObject({
      options: [
        { choice: "next", amount: 100 },
        { choice: "all", amount: 600 },
      ],
      own_amount: null,
      last_payment: null,
    });
    await payPart(world, token, "next");
    expect(await progressOf(id)).toEqual({
      status: "partially_paid",
      paid: 100,
      due: 500,
      due_at: second,
      parts: [
        [100, "paid"],
        [0, "due"],
        [0, "upcoming"],
      ],
    });
    world.clock.advance(32 * dayMs);
    expect((await progressOf(id)).parts?.[1]).toEqual([0, "overdue"]);
    await mark(id, 50);
    expect(await progressOf(id)).toMatchObject({
      due_at: second,
      parts: [
        [100, "paid"],
        [50, "overdue"],
        [0, "upcoming"],
      ],
    });
    expect((await openPage(world, token)).options).toEqual([
      { choice: "next", amount: 150 },
      { choice: "all", amount: 450 },
    ]);
    await payPart(world, token, "next");
    expect(await progressOf(id)).toMatchObject({ due_at: third, due: 300 });
    expect((await openPage(world, token)).options).toEqual([{ choice: "all", amount: 300 }]);
    await payPart(world, token, "all");
    expect(await progressOf(id)).toMatchObject({
      status: "paid",
      due: 0,
      due_at: third,
      parts: [
        [100, "paid"],
        [200, "paid"],
        [300, "paid"],
      ],
    });
    expect(first).not.toBe(second);
    const part = "payment.partially_paid";
    const announced = (await typesOf(id)).filter((type) => type === part || type === "payment.paid");
    expect(announced).toEqual([part, part, part, "payment.paid"]);
    await expectOneTruth(world, id);
  });

  it("is overdue while an installment is", async () => {
    const { payment, token } = await planned();
    const overdue = async () => {
      const { data } = await world.call(listPaymentRequests, user.actor, { overdue: true });
      const { data: products } = await world.call(listPaymentRequests, user.actor, {
        overdue: true,
        type: ["product"],
      });
      const { data: invoices } = await world.call(listPaymentRequests, user.actor, {
        overdue: true,
        type: ["invoice"],
      });
      expect([products.length, invoices.length]).toEqual([data.length, 0]);
      return data.map((one) => one.payment_id);
    };
    expect(await overdue()).toEqual([]);
    world.clock.advance(2 * dayMs);
    expect(await overdue()).toEqual([payment.payment_id]);
    await payPart(world, token, "next");
    expect(await overdue()).toEqual([]);
    world.clock.advance(40 * dayMs);
    expect(await overdue()).toEqual([payment.payment_id]);
    await cancelRequest(world, user.actor, payment.payment_id);
    expect(await overdue()).toEqual([]);
  });

  it("offers what is overdue together", async () => {
    const { payment, token } = await planned();
    world.clock.advance(32 * dayMs);
    const options = [
      { choice: "next", amount: 100 },
      { choice: "overdue", amount: 300 },
      { choice: "all", amount: 600 },
    ];
    expect((await openPage(world, token)).options).toEqual(options);
    await payPart(world, token, "overdue");
    expect(await progressOf(payment.payment_id)).toMatchObject({
      paid: 300,
      parts: [
        [100, "paid"],
        [200, "paid"],
        [0, "due"],
      ],
    });
  });

  it("keeps what was paid when it expires or is canceled, and refunds make nothing due again", async () => {
    const { payment, token } = await planned({ expires_at: inDays(70) });
    await payPart(world, token, "next");
    world.clock.advance(1);
    await world.call(refundPayment, user.actor, { payment_id: payment.payment_id, amount: 40 });
    const parts = [
      [100, "paid"],
      [0, "due"],
      [0, "upcoming"],
    ];
    expect(await progressOf(payment.payment_id)).toMatchObject({
      status: "partially_refunded",
      paid: 100,
      due: 500,
      parts,
    });
    await payPart(world, token, "next");
    expect(await progressOf(payment.payment_id)).toMatchObject({ status: "partially_refunded", paid: 300, due: 300 });
    world.clock.advance(71 * dayMs);
    await runJobs(world);
    const ended = [
      [100, "paid"],
      [200, "paid"],
      [0, "ended"],
    ];
    expect(await progressOf(payment.payment_id)).toMatchObject({
      status: "expired",
      paid: 300,
      due: 300,
      parts: ended,
    });
    expect(await openPage(world, token)).toMatchObject({
      state: "expired",
      amount_paid: 300,
      last_payment: { amount: 200 },
    });
    await expectOneTruth(world, payment.payment_id);

    const other = await planned();
    await payPart(world, other.token, "next");
    const canceled = await cancelRequest(world, user.actor, other.payment.payment_id);
    expect(canceled).toMatchObject({ status: "canceled", amount_paid: 100, amount_due: 0 });
    expect(canceled.installments?.map((one) => one.status)).toEqual(["paid", "ended", "ended"]);
    expect(await refusalOf(mark(other.payment.payment_id, 100))).toBe("payment_not_payable");
  });

  it("is marked as paid in full without an amount, and never beyond it", async () => {
    const { payment } = await planned();
    expect(await refusalOf(mark(payment.payment_id, 601))).toBe("amount_too_large");
    await mark(payment.payment_id, 150);
    const paid = await mark(payment.payment_id);
    expect(paid).toMatchObject({ status: "paid", amount_paid: 600 });
    expect(paid.transaction_ids).toHaveLength(2);
  });

  it("reminds of each installment", async () => {
    const { payment, token } = await planned({ customer: { email: newEmail() }, reminders: { offsets_days: [-3, 1] } });
    const id = payment.payment_id;
    const [first = 0, second = 0, third = 0] = payment.installments?.map((one) => Date.parse(one.due_at)) ?? [];
    // The clock shows noon, and reminders go at 09:00.
    const morning = (at: number, days: number) => Math.floor(at / dayMs) * dayMs + days * dayMs + 9 * hourMs;
    const reminders = async () =>
      (await get(id)).reminders?.map((one) => [
        Date.parse(one.planned_at ?? ""),
        one.skipped_reason ?? (one.sent_at && "sent"),
      ]);
    // It is too late for three days before the first one.
    expect(await reminders()).toEqual([
      [morning(second, -3), null],
      [morning(first, 1), null],
    ]);
    world.clock.advance(2 * dayMs + 1000);
    await runJobs(world);
    const ofSecond = [
      [morning(second, -3), null],
      [morning(second, 1), null],
    ];
    expect(await reminders()).toEqual(ofSecond);
    await payPart(world, token, "next");
    expect(await reminders()).toEqual(ofSecond);
    world.clock.advance(26 * dayMs);
    await runJobs(world);
    expect((await reminders())?.[0]).toEqual([morning(third, -3), null]);
    const [, mail] = await world.runtime.db.read
      .select({ subject: mails.subject, text: mails.text })
      .from(mails)
      .where(and(eq(mails.paymentId, id), eq(mails.kind, "payment_reminder")))
      .orderBy(asc(mails.createdAt));
    expect(mail?.subject).toContain("€2.00");
    expect(mail?.text).toContain("Still to pay in all");
    expect(mail?.text).toContain("€5.00");
    await payPart(world, token, "all");
    expect((await reminders())?.map(([, state]) => state)).toEqual(["payment_already_paid", "payment_already_paid"]);
  });
});

describe("a request that takes any part", () => {
  it("takes own amounts that leave the minimum, and all", async () => {
    const { payment, token } = await request({ allow_partial: true, minimum_amount: 200 });
    expect((await openPage(world, token)).own_amount).toEqual({ least: 200, most: 400 });
    for (const [typed, problem] of [
      [199, "amount_too_small"],
      [401, "amount_leaves_too_little"],
      [601, "amount_too_large"],
      [null, "amount_invalid"],
    ] as const) {
      const answer = await payPart(world, token, "own", typed);
      expect(answer).toMatchObject({ result: "refused", problems: [problem] });
    }
    expect(await transactionsOf(world, payment.payment_id)).toHaveLength(0);
    await payPart(world, token, "own", 250);
    expect(await openPage(world, token)).toMatchObject({ own_amount: null, options: [{ choice: "all", amount: 350 }] });
    expect(await payPart(world, token, "own", 200)).toMatchObject({ problems: ["amount_leaves_too_little"] });
    await payPart(world, token, "own", 350);
    expect((await get(payment.payment_id)).status).toBe("paid");
  });

  it("lists wrong amounts beside wrong card fields", async () => {
    const { token } = await request({ allow_partial: true });
    const answer = await payPart(world, token, "own", 700, { card_number: "", expiry: "", security_code: "" });
    expect(answer.problems).toEqual(["amount_too_large", "number_invalid", "expiry_invalid", "security_code_invalid"]);
  });

  it("charges exactly the part, also after a confirmation and a decline", async () => {
    const { payment, token } = await request({ allow_partial: true });
    await payPart(world, token, "own", 123, card("4000000000000002"));
    expect(await openPage(world, token)).toMatchObject({ state: "open", attempt_amount: 123 });
    world.clock.advance(1);
    await payPart(world, token, "own", 123, card("4000002500003155"));
    expect(await openPage(world, token)).toMatchObject({ state: "requires_action", attempt_amount: 123 });
    expect(await refusalOf(mark(payment.payment_id, 10))).toBe("payment_processing");
    const rows = await transactionsOf(world, payment.payment_id);
    expect(rows.map((row) => [row.status, row.amount])).toEqual([
      ["failed", 123],
      ["requires_action", 123],
    ]);
  });
});

describe("receipts", () => {
  const receipt = (token: string, transaction_id: string | null = null) =>
    world.call(paymentReceipt, anyone, { token, transaction_id });

  it("there is one of each part, and one of all", async () => {
    const { payment, token } = await planned({ customer: { email: newEmail() } });
    const id = payment.payment_id;
    await payPart(world, token, "next");
    world.clock.advance(1);
    await mark(id, 80);
    const [card_, cash] = await transactionsOf(world, id);
    await world.call(refundPayment, user.actor, { payment_id: id, transaction_id: card_?.id, amount: 30 });
    expect(await receipt(token)).toMatchObject({ amount_paid: 180, amount_refunded: 30, whole_amount: null });
    const one = await receipt(token, card_?.id);
    expect(one).toMatchObject({ amount_paid: 100, amount_refunded: 30, whole_amount: 600, refunds: [{ amount: 30 }] });
    expect(one.payments).toHaveLength(1);
    expect(await receipt(token, cash?.id)).toMatchObject({ amount_paid: 80, amount_refunded: 0, refunds: [] });
    const refund = (await transactionsOf(world, id)).find((row) => row.type === "refund");
    const stranger = await planned();
    for (const wrong of [refund?.id, "txn_none", "", (await planned()).payment.payment_id]) {
      expect(await refusalOf(receipt(token, wrong ?? ""))).toBe("payment_not_found");
    }
    expect(await refusalOf(receipt(stranger.token, card_?.id))).toBe("payment_not_found");
    const sent = await world.runtime.db.read
      .select({ subject: mails.subject })
      .from(mails)
      .where(and(eq(mails.paymentId, id), eq(mails.kind, "payment_receipt")))
      .orderBy(asc(mails.createdAt), asc(mails.id));
    expect(sent.map(({ subject }) => /€[\d.]+/.exec(subject)?.[0])).toEqual(["€1.00", "€0.80"]);
  });

  it("mails name the part that has just arrived, whatever the clock of its process shows", async () => {
    const { payment, token } = await planned({ customer: { email: newEmail() } });
    await payPart(world, token, "next");
    const lag = 5;
    world.clock.advance(-lag);
    await mark(payment.payment_id, 80);
    world.clock.advance(lag + 1);
    const sent = await world.runtime.db.read
      .select({ id: mails.linkObjectId })
      .from(mails)
      .where(and(eq(mails.paymentId, payment.payment_id), eq(mails.kind, "payment_receipt")));
    const ids = (await transactionsOf(world, payment.payment_id)).map(({ id }) => id);
    expect(sent.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect((await openPage(world, token)).last_payment).toMatchObject({ amount: 80 });
  });

  it("a request that is paid at once has one", async () => {
    const { token } = await request({ amount: 500 });
    await payWith(world, token);
    const all = await receipt(token);
    expect(await receipt(token, all.payments[0]?.transaction_id)).toMatchObject({
      amount_paid: 500,
      whole_amount: 500,
    });
  });
});
