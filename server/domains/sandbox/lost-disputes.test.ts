// What may happen to a payment request after a lost dispute: what was lost is due again, or is written off.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { closeAccount } from "@/server/domains/closing/operations/close-account";
import { overviewAttention } from "@/server/domains/overview/operations/attention";
import { extendPayment } from "@/server/domains/payments/operations/extend";
import { getPayment } from "@/server/domains/payments/operations/get";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { markPaid } from "@/server/domains/payments/operations/mark-paid";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { reopenPayment } from "@/server/domains/payments/operations/reopen";
import { writeOffPayment } from "@/server/domains/payments/operations/write-off";
import { sandboxProvider } from "@/server/domains/providers/sandbox";
import { dayMs } from "@/server/kit/limits";
import { eventTypesOf } from "@/test/events";
import { runJobs } from "@/test/jobs";
import { cancelRequest } from "@/test/merchant";
import { beginCharge, expectSoundLedger, settleNow } from "@/test/money";
import { ask, goodCard, openPage, payPart, payWith, type RequestFields, transactionsOf } from "@/test/payer";
import { simulate } from "@/test/simulating";
import { anotherProcess, openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";

let world: World;
let other: World;
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  other = dialect === "postgres" ? await anotherProcess(world) : world;
});
beforeEach(async () => {
  world.clock.advance(1000);
  acme = await world.organization();
});
afterAll(async () => {
  await expectSoundLedger(world);
  if (other !== world) await other.close();
  await world.close();
});

const settled = (call: Promise<unknown>) => call.catch(() => undefined);
const actor = () => acme.member.actor;
const get = (payment_id: string) => world.call(getPayment, actor(), { payment_id });
const reopen = (payment_id: string, more: { amount?: number; due_at?: string } = {}, from = world) =>
  from.call(reopenPayment, actor(), { payment_id, ...more } as never);
const writeOff = (payment_id: string, reason?: string, from = world) =>
  from.call(writeOffPayment, actor(), { payment_id, reason });
const lostOnes = async () =>
  (await world.call(listPaymentRequests, actor(), { disputed_lost: true, limit: 50 })).data.map(
    (one) => one.payment_id,
  );
const attention = async () => (await world.call(overviewAttention, actor(), {})).lost_disputes;

async function lose(payment_id: string) {
  await simulate(world, acme, payment_id, "dispute");
  return simulate(world, acme, payment_id, "dispute_lost");
}

/** A payment request of 1250 that was paid by card, and lost in a dispute. */
async function lost(fields: RequestFields = {}) {
  const { payment, token } = await ask(world, actor(), { type: "invoice", amount: 1250, ...fields });
  await payWith(world, token);
  await lose(payment.payment_id);
  world.clock.advance(1000);
  return { id: payment.payment_id, token };
}

describe("a lost dispute", () => {
  it("waits for a decision, in a list and on the home page", async () => {
    const { id } = await lost();
    const undecided = { status: "disputed", dispute_status: "lost", amount_lost: 1250, amount_due: 0 };
    expect(await get(id)).toMatchObject({ ...undecided, amount_paid: 1250, amount_refunded: 0, credit_notes: [] });
    expect([await lostOnes(), await attention()]).toEqual([[id], 1]);
    await writeOff(id);
    expect([await lostOnes(), await attention()]).toEqual([[], 0]);
  });

  it("makes a payment request due again, which is paid again and may be lost again", async () => {
    const { id, token } = await lost();
    expect(await reopen(id)).toMatchObject({
      ...{ status: "pending", dispute_status: "lost", amount_due: 1250, amount_reopened: 1250, amount_lost: 0 },
      ...{ amount_paid: 1250, amount_disputed: 1250, paid_at: null },
    });
    expect(await openPage(world, token)).toMatchObject({ state: "open", amount_due: 1250 });
    await payWith(world, token);
    expect(await get(id)).toMatchObject({ status: "paid", amount_due: 0, amount_paid: 2500, amount_overpaid: 0 });
    const types = await eventTypesOf(world, id);
    expect(types.filter((type) => /reopened|\.paid/.test(type))).toEqual([
      "payment.paid",
      "payment.reopened",
      "payment.paid",
    ]);
    await lose(id);
    expect(await get(id)).toMatchObject({ status: "disputed", amount_lost: 1250, amount_due: 0 });
    await reopen(id, { amount: 250 });
    expect(await get(id)).toMatchObject({ amount_due: 250, amount_lost: 1000, status: "disputed" });
    await world.call(markPaid, actor(), { payment_id: id, method: "cash", reason: "Paid at the desk", amount: 100 });
    expect(await writeOff(id, "Insolvent")).toMatchObject({
      ...{ amount_written_off: 1000, amount_lost: 0, amount_due: 150, write_off_reason: "Insolvent" },
      credit_notes: [{ cause: "dispute", amount: 1000 }],
    });
    await cancelRequest(world, actor(), id);
    expect((await get(id)).credit_notes.map(({ cause, amount }) => [cause, amount])).toEqual([
      ["dispute", 1000],
      ["cancelation", 150],
    ]);
  });

  it("is credited with its taxes once it is written off", async () => {
    const line = { name: "Cake", quantity: 1, unit_amount: 1000, tax_rate_bp: 1_900 };
    const { id } = await lost({ amount: undefined, line_items: [line] } as never);
    const { credit_notes } = await writeOff(id);
    expect(credit_notes).toMatchObject([{ cause: "dispute", amount: 1190, voided_at: null }]);
    expect(await get(id)).toMatchObject({ status: "refunded", amount_due: 0, amount_refunded: 0 });
    expect(await eventTypesOf(world, id)).toEqual(
      expect.arrayContaining(["payment.written_off", "credit_note.created"]),
    );
  });

  it("is pending, not refunded, while a part of it is due again", async () => {
    const { id, token } = await lost();
    await reopen(id, { amount: 250 });
    expect(await writeOff(id)).toMatchObject({ status: "pending", amount_due: 250, amount_refunded: 0 });
    expect((await openPage(world, token)).state).toBe("open");
    const part = { payment_id: id, method: "cash", reason: "Paid at the desk", amount: 100 } as const;
    await world.call(markPaid, actor(), part);
    expect(await get(id)).toMatchObject({ status: "partially_paid", amount_due: 150 });
    const cash = (await transactionsOf(world, id)).find(({ amount }) => amount === 100);
    await world.call(refundPayment, actor(), { payment_id: id, transaction_id: cash?.id, amount: 40 });
    expect(await get(id)).toMatchObject({ status: "partially_refunded", amount_due: 150 });
    await world.call(refundPayment, actor(), { payment_id: id, transaction_id: cash?.id, amount: 60 });
    expect(await get(id)).toMatchObject({ status: "refunded", amount_due: 150 });
    await payWith(world, token);
    expect(await get(id)).toMatchObject({ status: "partially_refunded", amount_due: 0, amount_written_off: 1000 });
  });

  it("is pending if all of it is due again, also after a surplus was refunded", async () => {
    const { payment, token } = await ask(world, actor(), { type: "product" });
    const id = payment.payment_id;
    const late = { paymentId: id, amount: 1250, status: "failed", settledAt: world.clock.now() } as const;
    const attempt = await beginCharge(world, acme.member, late);
    world.clock.advance(1000);
    await payWith(world, token);
    const charge = { idempotencyKey: attempt.id, amount: 1250, currency: "EUR", captureMethod: "automatic" } as const;
    const provider = sandboxProvider(world.runtime, false);
    await settleNow(world, attempt.id, await provider.start({ ...charge, details: goodCard } as never));
    await world.call(refundPayment, actor(), { payment_id: id, transaction_id: attempt.id, amount: 1250 });
    await lose(id);
    expect(await reopen(id)).toMatchObject({ status: "pending", amount_due: 1250 });
  });

  it("leaves no credit note of what is no invoice", async () => {
    const { id } = await lost({ type: "product" });
    expect(await writeOff(id)).toMatchObject({ status: "refunded", credit_notes: [], amount_written_off: 1250 });
  });

  it("counts beside what is still due, which can be paid meanwhile", async () => {
    const { payment, token } = await ask(world, actor(), { amount: 1000, allow_partial: true });
    const id = payment.payment_id;
    await payPart(world, token, "own", 600);
    await lose(id);
    expect(await get(id)).toMatchObject({ status: "disputed", amount_lost: 600, amount_due: 400 });
    await payPart(world, token, "own", 100);
    expect(await reopen(id)).toMatchObject({ amount_due: 900, amount_lost: 0, status: "partially_paid" });
    await payPart(world, token, "own", 900);
    expect(await get(id)).toMatchObject({ status: "paid", amount_overpaid: 0, amount_paid: 1600 });
  });

  it("is asked for by the installments that it paid", async () => {
    const in_days = (days: number) => new Date(world.clock.now() + days * dayMs).toISOString();
    const installments = [30, 60].map((days) => ({ amount: 500, due_at: in_days(days) }));
    const { payment, token } = await ask(world, actor(), { type: "invoice", amount: 1000, installments } as never);
    const id = payment.payment_id;
    await payPart(world, token, "all");
    await lose(id);
    const refused = reopen(id, { due_at: in_days(90) });
    expect(await refusalOf(refused)).toBe("invalid_request");
    expect(await reopen(id)).toMatchObject({
      amount_due: 1000,
      installments: [
        { amount_paid: 0, status: "due" },
        { amount_paid: 0, status: "upcoming" },
      ],
      due_at: payment.due_at,
    });
    await payPart(world, token, "next");
    expect(await get(id)).toMatchObject({ amount_due: 500, installments: [{ status: "paid" }, { status: "due" }] });
  });

  it("keeps what was refunded before", async () => {
    const { payment, token } = await ask(world, actor(), { type: "invoice", amount: 1250 });
    const id = payment.payment_id;
    await payWith(world, token);
    await world.call(refundPayment, actor(), { payment_id: id, amount: 250 });
    await lose(id);
    const { amount_lost } = await get(id);
    await writeOff(id);
    const credited = (await get(id)).credit_notes.map(({ cause, amount }) => [cause, amount]);
    expect(credited).toEqual([
      ["refund", 250],
      ["dispute", 1000],
    ]);
    expect(amount_lost).toBeGreaterThanOrEqual(1000);
  });

  it("opens a request again that has expired, with a new due date and its reminders", async () => {
    const { id, token } = await lost({
      type: "product",
      expires_at: new Date(world.clock.now() + dayMs).toISOString(),
    });
    world.clock.advance(40 * dayMs);
    await runJobs(world);
    const { expires_at } = await reopen(id);
    expect(Date.parse(expires_at ?? "")).toBeGreaterThan(world.clock.now());
    expect((await openPage(world, token)).state).toBe("open");
    const later = new Date(world.clock.now() + 90 * dayMs).toISOString();
    expect(await world.call(extendPayment, actor(), { payment_id: id, expires_at: later } as never)).toMatchObject({
      status: "pending",
    });
    const due = new Date(world.clock.now() + 7 * dayMs).toISOString();
    const invoice = await lost({
      due_at: new Date(world.clock.now() + dayMs).toISOString(),
      reminders: { offsets_days: [1] },
      customer: { email: "grace@example.com" },
    } as never);
    world.clock.advance(3 * dayMs);
    await runJobs(world);
    expect((await get(invoice.id)).reminders).toMatchObject([{ skipped_reason: "payment_already_paid" }]);
    expect(await reopen(invoice.id, { due_at: due })).toMatchObject({
      due_at: due,
      reminders: [{ skipped_reason: null, sent_at: null }],
    });
    world.clock.advance(9 * dayMs);
    await runJobs(world);
    expect(await eventTypesOf(world, invoice.id)).toEqual(
      expect.arrayContaining(["payment.overdue", "payment.reminder_sent"]),
    );
  });

  it("can be written off, but not asked for, on a closed account", async () => {
    const { id } = await lost();
    await world.call(closeAccount, acme.admin.actor, { account_id: acme.member.accountId });
    expect(await refusalOf(reopen(id))).toBe("account_closed");
    expect(await writeOff(id)).toMatchObject({ credit_notes: [{ amount: 1250 }] });
  });
});

describe("refused are", () => {
  it("what was not lost, or was decided", async () => {
    const { payment, token } = await ask(world, actor(), { type: "invoice", amount: 1250 });
    const id = payment.payment_id;
    const both = async () => [await refusalOf(reopen(id)), await refusalOf(writeOff(id))];
    expect(await both()).toEqual(["nothing_lost", "nothing_lost"]);
    await payWith(world, token);
    await simulate(world, acme, id, "dispute");
    expect(await both()).toEqual(["nothing_lost", "nothing_lost"]);
    await simulate(world, acme, id, "dispute_won");
    expect(await both()).toEqual(["nothing_lost", "nothing_lost"]);
    for (const decide of [reopen, writeOff]) {
      const { id: decided } = await lost();
      await decide(decided);
      expect(await refusalOf(reopen(decided))).toBe("nothing_lost");
      expect(await refusalOf(writeOff(decided))).toBe("nothing_lost");
    }
    const { payment: draft } = await ask(world, actor(), { draft: true } as never).catch(() => ({ payment: null }));
    if (draft) expect(await refusalOf(writeOff(draft.payment_id))).toBe("nothing_lost");
  });

  it("more than was lost, a past due date, and one of what is no invoice", async () => {
    const { id } = await lost();
    expect(await refusalOf(reopen(id, { amount: 1251 }))).toBe("amount_too_large");
    const at = (days: number) => new Date(world.clock.now() + days * dayMs).toISOString();
    expect(await refusalOf(reopen(id, { due_at: at(-1) }))).toBe("invalid_request");
    const product = await lost({ type: "product" });
    expect(await refusalOf(reopen(product.id, { due_at: at(1) }))).toBe("invalid_request");
  });

  it("to ask again for what a cancelation has credited", async () => {
    const { payment, token } = await ask(world, actor(), { type: "invoice", amount: 1000, allow_partial: true });
    const id = payment.payment_id;
    await payPart(world, token, "own", 600);
    await cancelRequest(world, actor(), id);
    await lose(id);
    expect(await get(id)).toMatchObject({ status: "canceled", amount_lost: 600 });
    expect(await refusalOf(reopen(id))).toBe("payment_not_reopenable");
    expect((await writeOff(id)).credit_notes.map(({ cause, amount }) => [cause, amount])).toEqual([
      ["cancelation", 400],
      ["dispute", 600],
    ]);
  });
});

describe("at once", () => {
  it.each([0, 1, 2, 3])("one decision holds, whoever pays meanwhile (%i)", async (round) => {
    const { id, token } = await lost();
    const calls = [
      () => settled(reopen(id, {}, other)),
      () => settled(writeOff(id, undefined, world)),
      () => settled(reopen(id, {}, world)),
      () =>
        payWith(other, token).then(
          () => "ok",
          () => "refused",
        ),
    ];
    const ordered = [...calls.slice(round), ...calls.slice(0, round)];
    await Promise.all(ordered.map((call) => call()));
    const after = await get(id);
    const decided = (after.amount_reopened > 0 ? 1 : 0) + (after.amount_written_off > 0 ? 1 : 0);
    expect([decided, after.amount_lost, after.amount_overpaid]).toEqual([1, 0, 0]);
    const paid = (await transactionsOf(world, id)).filter(({ status }) => status === "succeeded").length;
    expect(after.amount_due).toBe(after.amount_reopened > 0 && paid === 0 ? 1250 : 0);
    await expectSoundLedger(world);
  });
});
