// The terms of reusable links: what a call may say, what other calls refuse, and where links and their uses are counted.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { payments } from "@/db/tables";
import { closeAccount } from "@/server/domains/closing/operations/close-account";
import { eraseCustomer } from "@/server/domains/closing/operations/erase-customer";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { overviewAttention } from "@/server/domains/overview/operations/attention";
import { customerActivity } from "@/server/domains/overview/operations/customer-activity";
import { overviewFigures } from "@/server/domains/overview/operations/figures";
import { paymentActions } from "@/server/domains/payments/operations/actions";
import { applyCredit } from "@/server/domains/payments/operations/apply-credit";
import { cancelPayment } from "@/server/domains/payments/operations/cancel";
import { capturePayment } from "@/server/domains/payments/operations/capture";
import { countPayments } from "@/server/domains/payments/operations/counts";
import { createPayment } from "@/server/domains/payments/operations/create";
import { duplicatePayment } from "@/server/domains/payments/operations/duplicate";
import { extendPayment } from "@/server/domains/payments/operations/extend";
import { finalizePayment } from "@/server/domains/payments/operations/finalize";
import { getPayment } from "@/server/domains/payments/operations/get";
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { markPaid } from "@/server/domains/payments/operations/mark-paid";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { remindPayment } from "@/server/domains/payments/operations/remind";
import { sendPayment } from "@/server/domains/payments/operations/send";
import { paymentStatus } from "@/server/domains/payments/operations/status";
import { updatePaymentRequest } from "@/server/domains/payments/operations/update";
import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { createTransaction } from "@/server/domains/transactions/operations/create";
import { dayMs, hourMs, limits } from "@/server/kit/limits";
import { runJobs } from "@/test/jobs";
import { anyFailures, askMany, payUse } from "@/test/link-payer";
import { expectSoundLedger } from "@/test/money";
import { ask, card, openPage, paymentRow, payWith, type RequestFields, tokenOf, transactionsOf } from "@/test/payer";
import { openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld({ ...anyFailures, LINK_USES_PER_IP: "10000" });
  org = await world.organization();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const base = { type: "product", currency: "EUR", usage_limit: 10 } as const;
const seats = { name: "Seat", quantity: 1, unit_amount: 1000, adjustable_quantity: { minimum: 1, maximum: 5 } };
const custom = { minimum: 500, maximum: 5000, suggested: 2000 };
const create = (fields: RequestFields) =>
  world.call(createPayment, org.admin.actor, { account_id: org.member.accountId, ...base, ...fields });
const at = (ms: number) => new Date(world.clock.now() + ms).toISOString();
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
  );
const declined = card("4000000000000002");
const challenged = card("4000002760003184");
const lost = { ...card(troubledCard), security_code: lostAnswerCode };

describe("a call", () => {
  it.each<[string, RequestFields, RegExp]>([
    ["no more than 10,000 uses", { amount: 100, usage_limit: 10_001 }, /usage_limit/],
    ["a use at least", { amount: 100, usage_limit: 0 }, /usage_limit/],
    ["no invoice", { amount: 100, type: "invoice" }, /usage_limit: must be 1 for invoices/],
    ["no parts", { amount: 100, allow_partial: true }, /allow_partial: is not allowed for reusable links/],
    [
      "no reminders",
      { amount: 100, customer: { email: "a@example.com" }, reminders: { offsets_days: [-1] } },
      /reminders/,
    ],
    [
      "no amount beside a custom one",
      { amount: 100, custom_amount: custom },
      /amount: is not allowed with custom_amount/,
    ],
    ["no lines beside a custom amount", { line_items: [seats], custom_amount: custom }, /line_items: are not allowed/],
    ["an amount", {}, /amount: is required/],
    ["a custom amount only on links", { usage_limit: 1, custom_amount: custom }, /custom_amount: is only for reusable/],
    [
      "adjustable quantities only on links",
      { usage_limit: 1, line_items: [seats] },
      /adjustable_quantity: is only for/,
    ],
    ["an ordered range", { custom_amount: { ...custom, minimum: 6000 } }, /minimum must not exceed the maximum/],
    [
      "no amount for which cards are refused",
      { custom_amount: { ...custom, minimum: 49 } },
      /custom_amount\.minimum: must be at least 50$/,
    ],
    [
      "none in another currency",
      { currency: "JPY", custom_amount: { ...custom, minimum: 79 } },
      /custom_amount\.minimum: must be at least 80$/,
    ],
    ["a suggestion within it", { custom_amount: { ...custom, suggested: 1 } }, /suggested amount must be between/],
    ["a quantity within its range", { line_items: [{ ...seats, quantity: 6 }] }, /within its adjustable_quantity/],
    [
      "no discount of a quantity that payers choose",
      { line_items: [{ ...seats, quantity: 5, discount_amount: 4000 }] },
      /line_items\[0\].discount_amount: is not allowed with adjustable_quantity/,
    ],
    [
      "a quantity not below its minimum",
      { line_items: [{ ...seats, quantity: 1, adjustable_quantity: { minimum: 2, maximum: 5 } }] },
      /within its adjustable_quantity/,
    ],
    [
      "a sum that can be paid",
      { line_items: [{ ...seats, unit_amount: limits.amount }] },
      /with each maximum quantity, their sum/,
    ],
  ])("needs %s", async (_, fields, message) => {
    expect(await refusal(create(fields))).toMatch(message);
  });

  it("installments are refused, too", async () => {
    const installments = [at(dayMs), at(2 * dayMs)].map((due_at) => ({ amount: 50, due_at }));
    expect(await refusal(create({ amount: 100, installments }))).toMatch(/installments: is not allowed for reusable/);
  });

  it("with a custom amount makes a link that has no amount, and whose page proposes one", async () => {
    for (const [terms, proposed] of [
      [custom, 2000],
      [{ ...custom, suggested: null }, 500],
    ] as const) {
      const made = await create({ custom_amount: terms });
      expect(made).toMatchObject({ amount: null, amount_due: 0 });
      expect(await paymentRow(world, made.payment_id)).toMatchObject({ amount: null, amountWaived: 0 });
      expect(await openPage(world, tokenOf(made.payment_url))).toMatchObject({
        amount: proposed,
        amount_due: proposed,
      });
    }
  });

  it("stores no amount beside a custom one, nor a payment request without either", async () => {
    const set = async (fields: RequestFields, values: Partial<typeof payments.$inferInsert>) => {
      const { payment_id } = await create(fields);
      await world.runtime.db.write((tx) => tx.update(payments).set(values).where(eq(payments.id, payment_id)));
    };
    await expect(set({ custom_amount: custom }, { amount: 2000 })).rejects.toThrow();
    await expect(set({ amount: 2000 }, { amount: null })).rejects.toThrow();
  });

  it("makes an ordinary payment request by default", async () => {
    const { usage_limit: _, ...ordinary } = base;
    const payment = await world.call(createPayment, org.member.actor, { ...ordinary, amount: 100 });
    expect(payment).toMatchObject({ usage_limit: 1, amount_due: 100, custom_amount: null, parent_payment_id: null });
  });
});

describe("a draft", () => {
  it("of a link is changed, finalized, and copied as a draft of a link", async () => {
    const draft = await create({ amount: 100, draft: true });
    const { payment_id } = draft;
    const change = { payment_id, usage_limit: null, custom_amount: custom };
    const changed = await world.call(updatePaymentRequest, org.admin.actor, change);
    expect(changed).toMatchObject({ status: "draft", amount: null, usage_limit: null, custom_amount: custom });
    const final = await world.call(finalizePayment, org.admin.actor, { payment_id });
    expect(final).toMatchObject({ status: "pending", amount: null, amount_due: 0, payment_url: expect.any(String) });
    const copy = await world.call(duplicatePayment, org.admin.actor, { payment_id });
    expect(copy).toMatchObject({ status: "draft", usage_limit: null, custom_amount: custom, uses_count: 0 });
  });

  it("may become an ordinary payment request again", async () => {
    const { payment_id } = await create({ amount: 100, draft: true });
    await world.call(updatePaymentRequest, org.admin.actor, { payment_id, usage_limit: 1 });
    const final = await world.call(finalizePayment, org.admin.actor, { payment_id });
    expect(final).toMatchObject({ status: "pending", amount_due: 100 });
  });
});

describe("a link that can be used", () => {
  it("takes no money, credit, capture, refund or reminder of its own", async () => {
    const { payment_id } = await create({ amount: 1000, customer: { email: "link@example.com" } });
    const { actor } = org.admin;
    const offline = { payment_id, method: "cash", reason: "At the counter" } as const;
    const own = /payment_not_payable: .*only the payment requests of its payers/;
    expect(await refusal(world.call(markPaid, actor, offline))).toMatch(own);
    expect(await refusal(world.call(applyCredit, actor, { payment_id }))).toMatch(own);
    expect(await refusal(world.call(remindPayment, actor, { payment_id }))).toMatch(own);
    const { accountId: account_id } = org.member;
    const money = { type: "payment", amount: 1000, currency: "EUR", payment_id, account_id } as const;
    expect(await refusal(world.call(createTransaction, actor, money))).toMatch("payment_not_payable");
    expect(await refusal(world.call(capturePayment, actor, { payment_id }))).toMatch("payment_not_capturable");
    expect(await refusal(world.call(refundPayment, actor, { payment_id }))).not.toBe("done");
    expect(await world.call(paymentActions, actor, { payment_id })).toMatchObject({
      ...{ can_pay: false, can_ask: true, can_send: true, can_cancel: true, can_extend: true, can_edit: true },
      ...{ applicable_credit: 0, capturable: 0 },
    });
  });

  it("is sent, changed and extended", async () => {
    const { payment_id } = await create({ amount: 1000, expires_at: at(dayMs) });
    const { actor } = org.admin;
    const mail = await world.call(sendPayment, actor, { payment_id, to: "team@example.com" });
    expect(mail.subject).toContain("€10.00");
    const donation = await create({ custom_amount: custom });
    const other = await world.call(sendPayment, actor, { payment_id: donation.payment_id, to: "team@example.com" });
    expect(other.subject).toMatch(/Payment request from /);
    await world.call(updatePaymentRequest, actor, { payment_id, description: "Other words", metadata: { a: "b" } });
    expect(await refusal(world.call(updatePaymentRequest, actor, { payment_id, usage_limit: 20 }))).toMatch(
      "payment_not_updatable",
    );
    const extended = await world.call(extendPayment, actor, { payment_id, expires_at: at(2 * dayMs) });
    expect(extended).toMatchObject({ status: "pending", description: "Other words" });
  });

  it("expires at its instant, and opens again when it is extended", async () => {
    const { payment_id, payment_url } = await create({ amount: 1000, expires_at: at(hourMs) });
    const token = payment_url?.split("/").at(-1) ?? "";
    world.clock.advance(hourMs);
    const state = await world.call(paymentStatus, org.admin.actor, { payment_id });
    expect(state).toMatchObject({ status: "expired", amount: 1000, amount_due: 0 });
    expect((await openPage(world, token)).state).toBe("expired");
    expect(await refusal(world.call(sendPayment, org.admin.actor, { payment_id, to: "a@example.com" }))).toMatch(
      "payment_expired",
    );
    await runJobs(world);
    expect((await paymentRow(world, payment_id)).status).toBe("expired");
    expect(await refusal(world.call(cancelPayment, org.admin.actor, { payment_id }))).toMatch("payment_not_cancelable");
    await world.call(extendPayment, org.admin.actor, { payment_id, expires_at: at(dayMs) });
    expect((await openPage(world, token)).state).toBe("open");
  });

  it("ends when it is full: it is neither extended, sent nor canceled", async () => {
    const { payment, token } = await askMany(world, org.member.actor, { usage_limit: 2 });
    const { payment_id } = payment;
    for (let i = 0; i < 2; i++) await payUse(world, token, { email: `full${i}@example.com` });
    const { actor } = org.admin;
    expect(await refusal(world.call(extendPayment, actor, { payment_id, expires_at: at(60 * dayMs) }))).toMatch(
      "payment_already_paid",
    );
    expect(await refusal(world.call(sendPayment, actor, { payment_id, to: "a@example.com" }))).toMatch("link_used_up");
    expect(await refusal(world.call(cancelPayment, actor, { payment_id }))).toMatch("payment_not_cancelable");
    world.clock.advance(40 * dayMs);
    expect(await world.call(getPayment, actor, { payment_id })).toMatchObject({ status: "paid", amount: 1250 });
  });
});

describe("uses that nobody pays", () => {
  it("count as open nowhere, and neither does their link", async () => {
    const { member, admin } = await world.organization();
    const { payment, token } = await askMany(world, member.actor, { usage_limit: null, expires_at: at(hourMs) });
    await payUse(world, token, { ...declined, email: "idle@example.com" });
    const paid = await payUse(world, token, { email: "paid@example.com" });
    const list = (query: object) => world.call(listPaymentRequests, admin.actor, query);
    expect((await list({ open: true })).data).toEqual([]);
    expect((await list({ open: false })).data).toHaveLength(3);
    expect(await world.call(countPayments, admin.actor, {})).toMatchObject({ open: 0, links: 2, paid: 1, all: 3 });
    expect(await world.call(overviewAttention, admin.actor, {})).toMatchObject({ expiring: 0, many_declines: 0 });
    const figures = await world.call(overviewFigures, admin.actor, { days: 30, timezone: "UTC" });
    const one = { amount: 1250, count: 1 };
    expect(figures.currencies).toMatchObject([{ open: { count: 0 }, now: { requested: one, received: one } }]);
    expect((await list({ requested: true })).data).toMatchObject([{ payment_id: paid.payment_id }]);
    expect((await list({ requested: false })).data).toHaveLength(2);
    expect((await list({ reusable: true })).data.map(({ payment_id }) => payment_id)).toEqual([payment.payment_id]);
    expect((await list({ reusable: false })).data).toHaveLength(2);
    expect((await list({ parent_payment_id: payment.payment_id, status: ["paid"] })).data).toMatchObject([
      { payment_id: paid.payment_id },
    ]);
    const other = await world.organization();
    const theirs = { parent_payment_id: payment.payment_id };
    expect((await world.call(listPaymentRequests, other.admin.actor, theirs)).data).toEqual([]);
    expect((await world.call(listPaymentRequests, org.other.actor, theirs)).data).toEqual([]);
  });

  it("are not in the sums of a customer", async () => {
    const { payment, token } = await askMany(world, org.member.actor, {
      ...{ usage_limit: null, customer: { email: "sums@example.com" } },
    });
    await payUse(world, token, { ...declined, email: "sums@example.com" });
    await payUse(world, token, { email: "sums@example.com" });
    const customer_id = payment.customer?.customer_id ?? "";
    const { sums } = await world.call(customerActivity, org.admin.actor, { customer_id });
    expect(sums).toMatchObject([{ count: 1, requested: 1250, paid: 1250 }]);
  });

  it("need attention where very many cards were declined", async () => {
    const { member, admin } = await world.organization();
    const { payment, token } = await askMany(world, member.actor, { usage_limit: null });
    for (let i = 0; i < limits.links.declines; i++) {
      await payUse(world, token, { ...declined, email: `n${i}@example.com` });
    }
    expect(await world.call(overviewAttention, admin.actor, {})).toMatchObject({ many_declines: 1 });
    const found = await world.call(listPaymentRequests, admin.actor, { many_declines: true });
    expect(found.data.map(({ payment_id }) => payment_id)).toEqual([payment.payment_id]);
    world.clock.advance(limits.links.alertMs);
    expect(await world.call(overviewAttention, admin.actor, {})).toMatchObject({ many_declines: 0 });
  });
});

describe("the payer", () => {
  it("becomes the customer that the address finds, which is not changed, and whose credit stays out of reach", async () => {
    const known = await world.call(createPayment, org.member.actor, {
      ...{ type: "product", amount: 100, currency: "EUR", customer: { name: "Grace", email: "known@example.com" } },
    });
    const { token } = await askMany(world, org.member.actor);
    const { payment_id } = await payUse(world, token, { ...declined, name: "Somebody", email: "KNOWN@example.com" });
    const use = await world.call(getPayment, org.admin.actor, { payment_id });
    expect(use.customer).toMatchObject({
      ...{ customer_id: known.customer?.customer_id, name: "Somebody", email: "KNOWN@example.com" },
    });
    expect(await refusal(world.call(applyCredit, org.admin.actor, { payment_id }))).toMatch("insufficient_credit");
    const offline = { payment_id, method: "cash", reason: "Counter", amount: 2000, overpayment: "credit" } as const;
    expect(await refusal(world.call(markPaid, org.admin.actor, offline))).toMatch(
      /^amount_too_large: .*payer of a reusable link.*cannot be credited/,
    );
  });

  it("is erased with all uses, while others pay the link", async () => {
    const { token } = await askMany(world, org.member.actor, { usage_limit: null });
    const uses: string[] = [];
    for (let i = 0; i < 5; i++) uses.push((await payUse(world, token, { email: "erased@example.com" })).payment_id);
    uses.push((await payUse(world, token, { ...declined, email: "erased@example.com" })).payment_id);
    const { customer } = await world.call(getPayment, org.admin.actor, { payment_id: uses[0] ?? "" });
    const customer_id = customer?.customer_id ?? "";
    await Promise.all([
      world.call(eraseCustomer, org.admin.actor, { customer_id }),
      ...Array.from({ length: 5 }, (_, i) => payUse(world, token, { email: `other${i}@example.com` })),
    ]);
    for (const id of uses) {
      const { customer, payerKey } = await paymentRow(world, id);
      expect([customer?.email ?? null, payerKey]).toEqual([null, null]);
    }
  });

  it("is erased while strangers keep attempts unconfirmed, which end, authorized, or in doubt, which stay", async () => {
    const { token } = await askMany(world, org.member.actor, { usage_limit: null });
    const kept = await askMany(world, org.member.actor, { usage_limit: null, capture_method: "manual" });
    const email = "renewed@example.com";
    const waiting = await payUse(world, token, { ...challenged, email });
    const held = await payUse(world, kept.token, { email });
    const { customer } = await world.call(getPayment, org.admin.actor, { payment_id: held.payment_id });
    const doubtful = await payUse(world, token, { ...lost, email }, { ip: "203.0.113.9" });
    const erase = () => world.call(eraseCustomer, org.admin.actor, { customer_id: customer?.customer_id ?? "" });
    const statuses = async () => {
      const rows = [waiting, held, doubtful].map(({ payment_id }) => paymentRow(world, payment_id));
      return (await Promise.all(rows)).map(({ status }) => status);
    };
    expect(await statuses()).toEqual(["requires_action", "authorized", "processing"]);
    expect(await erase()).toMatchObject({ email: null });
    await runJobs(world);
    await world.call(capturePayment, org.admin.actor, { payment_id: held.payment_id });
    world.clock.advance(31_000);
    await runJobs(world);
    expect(await statuses()).toEqual(["canceled", "paid", "paid"]);
    for (const { payment_id } of [held, doubtful]) {
      const [attempt] = await transactionsOf(world, payment_id);
      expect([(await paymentRow(world, payment_id)).customer?.email, attempt?.customer?.email]).toEqual([null, null]);
    }
    expect(await paymentRow(world, waiting.payment_id)).toMatchObject({ status: "canceled", place: null });
    expect((await transactionsOf(world, waiting.payment_id))[0]?.status).toBe("failed");
    // Another attempt with the address is of another customer.
    const again = await payUse(world, token, { ...challenged, email });
    const other = await world.call(getPayment, org.admin.actor, { payment_id: again.payment_id });
    expect(other.customer?.customer_id).not.toBe(customer?.customer_id);
  });

  it("is erased with more unconfirmed attempts than one transaction ends", { timeout: 120_000 }, async () => {
    const email = "many@example.com";
    const { accountId: account_id } = org.member;
    const links = new Map<string, number>();
    for (let left = limits.batch.cancel + 1; left > 0; left -= limits.links.unconfirmedOnLink) {
      const { payment, token } = await askMany(world, org.member.actor, { usage_limit: null });
      const uses = Math.min(left, limits.links.unconfirmedOnLink);
      for (let i = 0; i < uses; i++) {
        await payUse(world, token, { ...challenged, email }, { ip: `10.${i}.${links.size}.1` });
      }
      links.set(payment.payment_id, uses);
    }
    const { customer_id } = await world.call(createCustomer, org.admin.actor, { name: "Many", email, account_id });
    await world.call(eraseCustomer, org.admin.actor, { customer_id });
    await runJobs(world);
    for (const [parent_payment_id, uses] of links) {
      const counts = await world.call(countPayments, org.admin.actor, { parent_payment_id });
      expect(counts).toMatchObject({ all: uses, canceled: uses });
    }
  });

  it("of an ordinary payment request keeps the customer from being erased while a confirmation waits", async () => {
    const { payment, token } = await ask(world, org.member.actor, { customer: { email: "ordinary@example.com" } });
    await payWith(world, token, challenged);
    const customer_id = payment.customer?.customer_id ?? "";
    expect(await refusal(world.call(eraseCustomer, org.admin.actor, { customer_id }))).toMatch("customer_in_use");
  });

  it("can pay no more once the account is closed: the link and its unpaid uses are canceled", async () => {
    const { admin, other } = await world.organization();
    const { payment, token } = await askMany(world, other.actor, { usage_limit: null });
    const idle = await payUse(world, token, { ...declined });
    await world.call(closeAccount, admin.actor, { account_id: other.accountId });
    await runJobs(world);
    for (const id of [payment.payment_id, idle.payment_id]) {
      expect((await paymentRow(world, id)).status).toBe("canceled");
    }
  });
});
