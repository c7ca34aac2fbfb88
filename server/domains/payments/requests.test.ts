// The operations on payment requests: creating, retrieving, listing, canceling and closing, with every error.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accounts, auditEntries, events, idempotencyKeys, transactions } from "@/db/tables";
import { sandboxProvider } from "@/server/domains/providers/sandbox";
import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import type { Actor } from "@/server/kit/context";
import { Failure } from "@/server/kit/errors";
import { hashToken } from "@/server/secrets/secret";
import { closeAccountOf } from "@/test/closing";
import { runJobs } from "@/test/jobs";
import {
  anyone,
  ask,
  declineForGood,
  formToken,
  journalEventsOf,
  openPage,
  paymentRow,
  payWith,
  submit,
  tokenOf,
  transactionsOf,
} from "@/test/payer";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";
import { cancelPayment } from "./operations/cancel";
import { createPayment } from "./operations/create";
import { getPayment } from "./operations/get";
import { listPaymentRequests } from "./operations/list";

let world: World;
let acme: TestOrganization;
let other: TestOrganization;
beforeAll(async () => {
  world = await openWorld({ APP_URL: "https://pay.example.com" });
  [acme, other] = [await world.organization(), await world.organization("Other")];
});
beforeEach(() => world.clock.advance(1000));
afterAll(() => world.close());

const minimal = { type: "product", amount: 1250, currency: "EUR" } as const;
const create = (input: object, actor: Actor = acme.member.actor) => world.call(createPayment, actor, input as never);
const cancel = (payment_id: string, actor: Actor = acme.member.actor) =>
  world.call(cancelPayment, actor, { payment_id });
const at = (ms: number) => new Date(world.clock.now() + ms).toISOString();
const day = 86_400_000;

/** The description of the call's invalid_request error. */
async function faultOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Failure)) throw new Error("The call was not refused.");
  return `${error.code} ${error.message}`;
}

describe("creating", () => {
  it("returns every field of the payment request", async () => {
    const payment = await create({ ...minimal, currency: "eur" });
    expect(payment).toMatchObject({
      account_id: acme.member.accountId,
      type: "product",
      status: "pending",
      amount: 1250,
      currency: "EUR",
      amount_paid: 0,
      amount_due: 1250,
      description: null,
      customer: null,
      line_items: [],
      capture_method: "automatic",
      subscription: null,
      metadata: {},
      receipt_url: null,
      pdf_url: null,
      invoice_number: null,
      last_error: null,
      livemode: false,
      transaction_ids: [],
      expires_at: at(30 * day),
      due_at: null,
      paid_at: null,
      viewed_at: null,
    });
    expect(payment.payment_id).toMatch(/^pay_[0-9a-z]{26}$/);
    expect(await world.call(getPayment, acme.member.actor, { payment_id: payment.payment_id })).toEqual(payment);
  });

  it("returns an unguessable link and stores only its hash", async () => {
    const payment = await create(minimal);
    const token = tokenOf(payment.payment_url);
    expect(payment.payment_url).toMatch(/^https:\/\/pay\.example\.com\/pay\/qtpl_[0-9A-Za-z]{49}$/);
    const row = await paymentRow(world, payment.payment_id);
    expect(row.linkHash).toBe(hashToken(token));
    expect(JSON.stringify(row)).not.toContain(token.slice(5, 40));
    expect(tokenOf((await create(minimal)).payment_url)).not.toBe(token);
  });

  it("returns the same link for the same Idempotency-Key, without storing it", async () => {
    const idempotencyKey = world.id("req");
    const again = () => world.call(createPayment, acme.member.actor, minimal, { idempotencyKey });
    const first = await again();
    expect(await again()).toEqual(first);
    const kept = await world.runtime.db.read.select({ body: idempotencyKeys.body }).from(idempotencyKeys);
    expect(kept.some(({ body }) => body?.includes(first.payment_id))).toBe(true);
    expect(JSON.stringify(kept)).not.toContain("qtpl_");
  });

  it("adds up the line items", async () => {
    const lines = [
      { name: "Course", quantity: 3, unit_amount: 1999, discount_amount: 97, tax_rate_bp: 1900 },
      { name: "Book", quantity: 1, unit_amount: 500 },
    ];
    const payment = await create({ type: "invoice", currency: "EUR", line_items: lines });
    expect(payment.amount).toBe(3 * 1999 - 97 + 1121 + 500);
    expect(payment.line_items[1]).toEqual({
      name: "Book",
      quantity: 1,
      unit_amount: 500,
      tax_rate_bp: null,
      discount_amount: null,
      ...{ tax_category: null, tax_exemption_reason: null, unit: null },
      adjustable_quantity: null,
    });
    expect((await create({ ...minimal, amount: payment.amount, line_items: lines })).amount).toBe(payment.amount);
    expect(await refusalOf(create({ ...minimal, amount: (payment.amount ?? 0) + 1, line_items: lines }))).toBe(
      "amount_mismatch",
    );
  });

  it("stores all given fields", async () => {
    const given = {
      description: "Course",
      reference: `INV-${world.clock.now()}`,
      customer: { name: "Ada", email: "Ada@Example.com", reference: "C-1", metadata: { vip: "yes" } },
      metadata: { order: "A-1" },
      success_url: "https://shop.example.com/thanks?x=1",
      cancel_url: "http://localhost:3001/cart",
      locale: "pt-BR",
      capture_method: "manual",
      expires_at: at(366 * day),
    };
    expect(await create({ ...minimal, ...given })).toMatchObject(given);
    const invoice = await create({ ...minimal, type: "invoice", due_at: "2026-12-24T12:00:00+01:00" });
    expect([invoice.expires_at, invoice.due_at]).toEqual([null, "2026-12-24T11:00:00.000Z"]);
    const terms = { interval: "month" as const };
    const subscription = await create({ ...minimal, type: "subscription", subscription: terms });
    expect(subscription.subscription).toEqual({ interval: "month", interval_count: 1, trial_days: null, cycles: null });
  });

  it.each([
    ["amount", { amount: undefined }],
    ["amount", { amount: 0 }],
    ["amount", { amount: 1.5 }],
    ["amount", { amount: "1250" }],
    ["amount", { amount: 1_000_000_000_000 }],
    ["currency", { currency: "XXQ" }],
    ["type", { type: "gift" }],
    ["subscription", { type: "subscription" }],
    ["subscription", { subscription: { interval: "month" } }],
    ["due_at", { due_at: "2026-12-24T12:00:00Z" }],
    ["success_url", { success_url: "http://shop.example.com" }],
    ["success_url", { success_url: "https://a:b@shop.example.com" }],
    ["success_url", { success_url: "javascript:alert(1)" }],
    ["success_url", { success_url: "https://shop.example.com/\r\nX: y" }],
    ["cancel_url", { cancel_url: "http://localhost.example.com" }],
    ["cancel_url", { cancel_url: "http://a@localhost" }],
    ["locale", { locale: "not a tag" }],
    ["expires_at", { expires_at: "2026-11-20T12:00:00Z" }],
    ["expires_at", { expires_at: "2028-01-01T00:00:00Z" }],
    ["expires_at", { expires_at: "tomorrow" }],
    ["line_items[0].quantity", { line_items: [{ name: "x", quantity: 0, unit_amount: 1 }] }],
    ["line_items[0].discount_amount", { line_items: [{ name: "x", quantity: 1, unit_amount: 1, discount_amount: 2 }] }],
    ["line_items", { line_items: [{ name: "x", quantity: 999_999, unit_amount: 999_999_999 }] }],
    ["metadata", { metadata: { constructor: "x" } }],
    ["send", { send: true }],
    ["remind", { remind: true }],
    ["reminders", { reminders: [] }],
    ["draft", { draft: "yes" }],
    ["send", { draft: true, send: true, customer: { email: "grace@example.com" } }],
    ["status", { status: "paid" }],
  ])("rejects %s: %o", async (field, given) => {
    expect(await faultOf(create({ ...minimal, ...given }))).toMatch(
      new RegExp(`^invalid_request .*${field.replace(/[[\].]/g, "\\$&")}`),
    );
  });

  it("rejects a reference that the account has used, but not another account's", async () => {
    const reference = `R-${world.clock.now()}`;
    await create({ ...minimal, reference });
    expect(await refusalOf(create({ ...minimal, reference }))).toBe("duplicate_reference");
    expect((await create({ ...minimal, reference }, acme.other.actor)).reference).toBe(reference);
  });

  it("is allowed to members on their own accounts, and to admins on all accounts of the organization", async () => {
    const { accountId } = acme.other;
    expect(await refusalOf(create({ ...minimal, account_id: accountId }))).toBe("account_not_found");
    expect((await create({ ...minimal, account_id: accountId }, acme.admin.actor)).account_id).toBe(accountId);
    expect(await refusalOf(create({ ...minimal, account_id: accountId }, other.admin.actor))).toBe("account_not_found");
    expect(await refusalOf(create(minimal, anyone))).toBe("insufficient_permissions");
  });
});

describe("retrieving and listing", () => {
  const list = (input: object, actor: Actor = acme.member.actor) =>
    world.call(listPaymentRequests, actor, input as never);

  it("shows a payment request only to its owner and admins", async () => {
    const { payment_id } = await create(minimal);
    for (const actor of [acme.member.actor, acme.admin.actor]) {
      expect((await world.call(getPayment, actor, { payment_id })).payment_id).toBe(payment_id);
    }
    for (const actor of [acme.other.actor, other.admin.actor, other.member.actor]) {
      expect(await refusalOf(world.call(getPayment, actor, { payment_id }))).toBe("payment_not_found");
      expect(await refusalOf(cancel(payment_id, actor))).toBe("payment_not_found");
    }
    expect(await refusalOf(world.call(getPayment, acme.member.actor, { payment_id: "pay_x" }))).toBe(
      "payment_not_found",
    );
  });

  it("filters, and includes a write at once", async () => {
    const user = await world.user(acme.id);
    const made = async (more: object) => (await create({ ...minimal, ...more }, user.actor)).payment_id;
    const first = await made({ reference: "one", customer: { email: "Ada@Example.com" } });
    world.clock.advance(1000);
    const boundary = at(0);
    const second = await made({ currency: "USD", type: "invoice" });
    world.clock.advance(1000);
    const brief = await made({ expires_at: at(10) });
    world.clock.advance(1000);
    const canceled = await made({});
    await cancel(canceled, user.actor);
    const idsOf = async (input: object, actor = user.actor) =>
      (await list(input, actor)).data.map((row) => row.payment_id);
    expect(await idsOf({})).toEqual([canceled, brief, second, first]);
    expect(await idsOf({ status: ["pending"] })).toEqual([second, first]);
    expect(await idsOf({ status: ["expired"] })).toEqual([brief]);
    expect(await idsOf({ status: ["expired", "canceled"] })).toEqual([canceled, brief]);
    expect(await idsOf({ type: ["invoice"] })).toEqual([second]);
    expect(await idsOf({ currency: "usd" })).toEqual([second]);
    expect(await idsOf({ reference: "one" })).toEqual([first]);
    expect(await idsOf({ customer_email: "ADA@example.com" })).toEqual([first]);
    expect(await idsOf({ created_from: boundary })).toEqual([canceled, brief, second]);
    expect(await idsOf({ created_to: boundary })).toEqual([first]);
    expect(await idsOf({ account_id: user.accountId }, acme.admin.actor)).toEqual([canceled, brief, second, first]);
    expect(await refusalOf(list({ account_id: user.accountId }, acme.other.actor))).toBe("account_not_found");
    expect(await refusalOf(list({ account_id: user.accountId }, other.admin.actor))).toBe("account_not_found");
    expect(await refusalOf(list({ status: ["open"] }))).toBe("invalid_request");
    expect(await refusalOf(list({ color: "red" }))).toBe("invalid_request");
  });

  it("pages without losing or repeating a row while others are inserted", async () => {
    const user = await world.user(acme.id);
    const made: string[] = [];
    for (let i = 0; i < 7; i++) made.unshift((await create(minimal, user.actor)).payment_id);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit: 3, cursor, include_total: true }, user.actor);
      seen.push(...page.data.map((row) => row.payment_id));
      cursor = page.next_cursor ?? undefined;
      expect(page.has_more).toBe(cursor !== undefined);
      world.clock.advance(1);
      await create(minimal, user.actor);
    } while (cursor);
    expect([...seen].sort()).toEqual([...made].sort());
    const { next_cursor } = await list({ limit: 1 }, user.actor);
    expect(await refusalOf(list({ limit: 1, cursor: next_cursor, currency: "EUR" }, user.actor))).toBe(
      "invalid_cursor",
    );
    expect(await refusalOf(list({ cursor: "garbage" }, user.actor))).toBe("invalid_cursor");
  });
});

describe("canceling", () => {
  it("ends a payment request for good", async () => {
    const { payment_id } = await create(minimal);
    const canceled = await cancel(payment_id);
    expect(canceled).toMatchObject({ status: "canceled", canceled_at: at(0) });
    expect(await refusalOf(cancel(payment_id))).toBe("payment_not_cancelable");
  });

  it("keeps the reason where it can be erased and the payer does not see it", async () => {
    const { payment, token } = await ask(world, acme.member.actor, {});
    const { payment_id } = payment;
    expect(payment.cancellation_reason).toBeNull();
    const canceled = await world.call(cancelPayment, acme.member.actor, { payment_id, reason: "Ordered twice" });
    expect(canceled.cancellation_reason).toBe("Ordered twice");
    const entries = world.runtime.db.read.select().from(auditEntries).where(eq(auditEntries.targetId, payment_id));
    const entry = (await entries).find(({ operation }) => operation === "payments.cancel");
    expect(entry?.detail).toEqual({ previous_status: "pending" });
    expect(JSON.stringify(await openPage(world, token))).not.toContain("Ordered twice");
  });

  it("refuses a reason that is blank or too long, and cancels nothing", async () => {
    const { payment_id } = await create(minimal);
    for (const reason of [" ", "x".repeat(257)]) {
      const call = world.call(cancelPayment, acme.member.actor, { payment_id, reason });
      expect(await refusalOf(call)).toBe("invalid_request");
    }
    expect((await paymentRow(world, payment_id)).status).toBe("pending");
  });

  it("releases an authorization in the ledger and at the provider", async () => {
    const { payment, token } = await ask(world, acme.member.actor, { capture_method: "manual" });
    await payWith(world, token);
    const canceled = await cancel(payment.payment_id);
    expect(canceled).toMatchObject({
      status: "canceled",
      amount_authorized: 1250,
      amount_capturable: 0,
      amount_released: 1250,
      amount_due: 0,
    });
    const [hold] = await transactionsOf(world, payment.payment_id);
    expect(hold).toMatchObject({ status: "canceled", amountReleased: 1250 });
    expect(await journalEventsOf(world, hold?.id ?? "")).toEqual(["authorization_opened", "authorization_released"]);
    const provider = sandboxProvider(world.runtime, false);
    expect(await provider.lookup("charge", hold?.id ?? "")).toMatchObject({ status: "canceled", amountCaptured: 0 });
  });

  it("is refused if the payment request is paid, in progress or expired", async () => {
    const paid = await ask(world, acme.member.actor);
    await payWith(world, paid.token);
    const lost = await ask(world, acme.member.actor);
    await payWith(world, lost.token, { card_number: troubledCard, expiry: "12/30", security_code: lostAnswerCode });
    const expired = await ask(world, acme.member.actor, { expires_at: at(1) });
    world.clock.advance(1);
    const codes = [];
    for (const { payment } of [paid, lost, expired]) codes.push(await refusalOf(cancel(payment.payment_id)));
    expect(codes).toEqual(["payment_not_cancelable", "payment_processing", "payment_not_cancelable"]);
  });

  it("also ends a failed payment request", async () => {
    const { payment, token } = await ask(world, acme.member.actor);
    await declineForGood(world, token);
    expect((await cancel(payment.payment_id)).status).toBe("canceled");
  });

  it("has the same answer if it is repeated with the same Idempotency-Key", async () => {
    const { payment_id } = await create(minimal);
    const again = () => world.call(cancelPayment, acme.member.actor, { payment_id }, { idempotencyKey: payment_id });
    expect(await again()).toEqual(await again());
  });

  it("races with a payment, and only one of the two succeeds", async () => {
    for (let round = 0; round < 5; round++) {
      const { payment, token } = await ask(world, acme.member.actor);
      const form = await formToken(world, token);
      const [submitted, canceled] = await Promise.allSettled([submit(world, token, form), cancel(payment.payment_id)]);
      const row = await paymentRow(world, payment.payment_id);
      expect(row.status).toBe(canceled.status === "fulfilled" ? "canceled" : "paid");
      expect(submitted.status).toBe(canceled.status === "fulfilled" ? "rejected" : "fulfilled");
    }
  });
});

describe("an expired payment request", () => {
  it("is recorded and announced once, however often it is read", async () => {
    const { payment } = await ask(world, acme.member.actor, { expires_at: at(60_000) });
    const invoice = await create({ ...minimal, type: "invoice" });
    world.clock.advance(59_999);
    await runJobs(world);
    expect((await paymentRow(world, payment.payment_id)).status).toBe("pending");
    world.clock.advance(1);
    await Promise.all([runJobs(world), runJobs(world)]);
    expect(await runJobs(world)).toBe(0);
    expect((await paymentRow(world, payment.payment_id)).status).toBe("expired");
    expect((await paymentRow(world, invoice.payment_id)).status).toBe("pending");
    const found = await world.runtime.db.read
      .select({ type: events.type })
      .from(events)
      .where(eq(events.objectId, payment.payment_id));
    expect(found.map(({ type }) => type).sort()).toEqual(["payment.created", "payment.expired"]);
  });
});

describe("an authorization that is never captured", () => {
  it("lapses for every reader at its instant, and is then released", async () => {
    const { payment, token } = await ask(world, acme.member.actor, { capture_method: "manual" });
    await payWith(world, token);
    const read = () => world.call(getPayment, acme.member.actor, { payment_id: payment.payment_id });
    world.clock.advance(7 * day - 1);
    await runJobs(world);
    expect(await read()).toMatchObject({ status: "authorized", amount_capturable: 1250 });
    world.clock.advance(1);
    expect(await read()).toMatchObject({ status: "expired", amount_capturable: 0 });
    expect((await openPage(world, token)).state).toBe("expired");
    await runJobs(world);
    expect(await paymentRow(world, payment.payment_id)).toMatchObject({
      status: "expired",
      amountCapturable: 0,
      amountReleased: 1250,
    });
    expect(await transactionsOf(world, payment.payment_id)).toMatchObject([{ status: "expired" }]);
    const types = await world.runtime.db.read
      .select({ type: events.type })
      .from(events)
      .where(eq(events.objectId, payment.payment_id));
    expect(types.map(({ type }) => type)).toContain("payment.authorization_expired");
  });
});

describe("closing the account", () => {
  it("cancels open payment requests, and releases authorizations once their provider has released them", async () => {
    const user = await world.user(acme.id);
    const open = await ask(world, user.actor);
    const held = await ask(world, user.actor, { capture_method: "manual" });
    await payWith(world, held.token);
    const paid = await ask(world, user.actor);
    await payWith(world, paid.token);
    const under = await ask(world, user.actor);
    await payWith(world, under.token, { card_number: troubledCard, expiry: "12/30", security_code: lostAnswerCode });
    await ask(world, user.actor, { expires_at: at(1) });
    world.clock.advance(1);

    const closed = await closeAccountOf(world, acme.admin.actor, user.accountId);
    expect(closed.canceled_payments).toBe(3);
    expect((await paymentRow(world, open.payment.payment_id)).status).toBe("canceled");
    expect((await paymentRow(world, paid.payment.payment_id)).status).toBe("paid");
    expect((await paymentRow(world, held.payment.payment_id)).status).toBe("canceled");
    expect((await openPage(world, open.token)).state).toBe("unavailable");
    const [hold] = await transactionsOf(world, held.payment.payment_id);
    const provider = sandboxProvider(world.runtime, false);
    expect((await provider.lookup("charge", hold?.id ?? ""))?.status).toBe("authorized");
    expect(await journalEventsOf(world, hold?.id ?? "")).toEqual(["authorization_opened"]);
    await runJobs(world);
    expect((await provider.lookup("charge", hold?.id ?? ""))?.status).toBe("canceled");
    expect(await journalEventsOf(world, hold?.id ?? "")).toEqual(["authorization_opened", "authorization_released"]);
    expect((await paymentRow(world, held.payment.payment_id)).amountCapturable).toBe(0);
    world.clock.advance(60_000);
    await runJobs(world);
    // The money of the attempt in progress has arrived: it is posted and visible.
    expect((await paymentRow(world, under.payment.payment_id)).status).toBe("paid");
    const [late] = await transactionsOf(world, under.payment.payment_id);
    expect(await journalEventsOf(world, late?.id ?? "")).toEqual(["payment_captured"]);
    expect(await world.runtime.db.read.select().from(accounts).where(eq(accounts.id, user.accountId))).toMatchObject([
      { status: "closed" },
    ]);
    expect(await world.runtime.db.read.$count(transactions, eq(transactions.accountId, user.accountId))).toBe(3);
  });
});
