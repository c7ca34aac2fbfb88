// Drafts of payment requests: what nobody can do with one, what changes one, and how it becomes final or a copy.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type * as z from "zod";
import { accounts, customers, events, jobs, mails, paymentReminders, payments } from "@/db/tables";
import { eraseCustomer } from "@/server/domains/closing/operations/erase-customer";
import { mergeCustomer } from "@/server/domains/closing/operations/merge-customer";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { listCustomers } from "@/server/domains/customers/operations/list";
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
import { listPaymentRequests } from "@/server/domains/payments/operations/list";
import { markPaid } from "@/server/domains/payments/operations/mark-paid";
import { remindPayment } from "@/server/domains/payments/operations/remind";
import { sendPayment } from "@/server/domains/payments/operations/send";
import { updatePaymentRequest } from "@/server/domains/payments/operations/update";
import { dayMs, limits } from "@/server/kit/limits";
import { closeAccountOf } from "@/test/closing";
import { runJobs } from "@/test/jobs";
import { create, expectSoundLedger } from "@/test/money";
import { openPage, paymentRow, payWith, type RequestFields, tokenOf } from "@/test/payer";
import { expectOneTruth } from "@/test/payment-truth";
import { apiKey } from "@/test/people";
import { openWorld, refusalOf, type TestOrganization, type World } from "@/test/world";

let world: World;
let org: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  world.clock.advance(1000);
  org = await world.organization();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const inDays = (days: number) => new Date(world.clock.now() + days * dayMs).toISOString();
/** The hour at which reminders go, so many days from today in UTC. */
const morning = (days: number) => `${inDays(days).slice(0, 10)}T09:00:00.000Z`;
const product = { type: "product", amount: 1250, currency: "EUR" } as const;
const draft = (fields: RequestFields = {}, actor = org.member.actor) =>
  world.call(createPayment, actor, { ...product, draft: true, ...fields });
type Patch = Omit<z.input<typeof updatePaymentRequest.input>, "payment_id">;
const change = (payment_id: string, patch: Patch, actor = org.member.actor) =>
  world.call(updatePaymentRequest, actor, { payment_id, ...patch });
const finalize = (payment_id: string, actor = org.member.actor) => world.call(finalizePayment, actor, { payment_id });
const duplicate = (payment_id: string) => world.call(duplicatePayment, org.member.actor, { payment_id });
const jobsOf = async (id: string) => {
  const rows = await world.runtime.db.read.select().from(jobs);
  return rows.filter(({ key }) => key.endsWith(id)).map(({ kind, runAt }) => ({ kind, runAt }));
};
const eventsOf = async (id: string) => {
  const rows = await world.runtime.db.read.select().from(events).where(eq(events.objectId, id));
  return rows
    .sort((a, b) => a.sequence - b.sequence)
    .map(({ type, data }) => [type, data.previous_status, data.status]);
};
const faultOf = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    (error: { code?: string; message: string }) => `${error.code} ${error.message}`,
  );

describe("a draft", () => {
  it("has no link, no job, no mail, no reminder and no customer, and says so", async () => {
    const customer = { name: "Grace", email: `grace${world.clock.now()}@example.com` };
    const made = await draft({ customer, reminders: { offsets_days: [-3, -1] }, expires_at: inDays(10) });
    expect(made).toMatchObject({ status: "draft", payment_url: null, receipt_url: null, expires_at: inDays(10) });
    expect(made.customer).toEqual({ ...customer, customer_id: null, reference: null, metadata: {} });
    const open = { planned_at: null, waiting_until: null, sent_at: null, mail_id: null, skipped_reason: null };
    expect(made.reminders).toEqual([
      { offset_days: -3, ...open },
      { offset_days: -1, ...open },
    ]);
    const row = await paymentRow(world, made.payment_id);
    expect(row).toMatchObject({ linkHash: null, linkNonce: null, linkKeyId: null });
    expect(await jobsOf(made.payment_id)).toEqual([]);
    expect(await eventsOf(made.payment_id)).toEqual([["payment.created", null, "draft"]]);
    expect((await world.call(listCustomers, org.member.actor, {})).data).toEqual([]);
    world.clock.advance(11 * dayMs);
    await runJobs(world);
    expect((await paymentRow(world, made.payment_id)).status).toBe("draft");
    await expectOneTruth(world, made.payment_id);
  });

  it("cannot be stored with a link, nor a final payment request without one", async () => {
    const { payment_id } = await draft({});
    const { payment_id: final_id } = await world.call(createPayment, org.member.actor, product);
    const store = (id: string, columns: Partial<typeof payments.$inferInsert>) =>
      world.runtime.db.write(async (tx) => {
        await tx.update(payments).set(columns).where(eq(payments.id, id));
      });
    const link = { linkHash: "hash", linkNonce: "nonce", linkKeyId: "key" };
    await expect(store(payment_id, link)).rejects.toThrow();
    for (const column of Object.keys(link)) await expect(store(final_id, { [column]: null })).rejects.toThrow();
  });

  it("can be neither paid, marked, paid out of credit, captured, extended, sent nor reminded of", async () => {
    const { payment_id } = await draft({ customer: { email: "grace@example.com" } });
    const { actor } = org.member;
    const marked = { method: "cash", reason: "At the counter" } as const;
    const refusals = {
      markPaid: await faultOf(world.call(markPaid, actor, { payment_id, ...marked })),
      applyCredit: await faultOf(world.call(applyCredit, actor, { payment_id })),
      record: await faultOf(create(world, actor, { type: "payment", payment_id, amount: 1, currency: "EUR" })),
      capture: await faultOf(world.call(capturePayment, actor, { payment_id })),
      extend: await faultOf(world.call(extendPayment, actor, { payment_id, expires_at: inDays(9) })),
      send: await faultOf(world.call(sendPayment, actor, { payment_id })),
      remind: await faultOf(world.call(remindPayment, actor, { payment_id })),
    };
    for (const [name, fault] of Object.entries(refusals)) {
      expect(fault, name).toMatch(/^payment_not_(payable|capturable|extendable) /);
      if (name !== "record") expect(fault, name).toContain("is a draft");
    }
    const acts = await world.call(paymentActions, actor, { payment_id });
    expect(acts).toEqual({
      ...{
        payment_id,
        can_pay: false,
        can_record: false,
        can_allow_cards: false,
        can_pause: false,
        can_reopen: false,
        can_write_off: false,
        can_accept_late: false,
        can_ask: false,
        can_extend: false,
        can_send: false,
        can_edit: false,
        capturable: 0,
      },
      ...{ applicable_credit: 0, can_credit: false, can_dismiss: false },
      ...{ can_cancel: true, can_finalize: true, can_duplicate: true, due_time_zone: "UTC" },
    });
    expect(await world.runtime.db.read.select().from(mails).where(eq(mails.paymentId, payment_id))).toEqual([]);
  });

  it("is not open, not due and not what a customer was asked for, and its own filter finds it", async () => {
    const { customer_id } = await world.call(createCustomer, org.member.actor, { name: "Grace" });
    const { payment_id } = await draft({ type: "invoice", due_at: inDays(-1), customer: { customer_id } });
    const ids = async (filters: object) =>
      (await world.call(listPaymentRequests, org.member.actor, filters)).data.map((one) => one.payment_id);
    expect(await ids({ status: ["draft"] })).toEqual([payment_id]);
    expect(await ids({ open: false })).toEqual([payment_id]);
    for (const none of [{ open: true }, { overdue: true }, { ends_before: inDays(90) }])
      expect(await ids(none)).toEqual([]);
    const counts = await world.call(countPayments, org.member.actor, {});
    expect(counts).toMatchObject({ drafts: 1, open: 0, overdue: 0, all: 1 });
    const figures = await world.call(overviewFigures, org.member.actor, { days: 7, timezone: "UTC" });
    expect(figures.currencies).toEqual([]);
    const activity = () => world.call(customerActivity, org.member.actor, { customer_id });
    expect(await activity()).toMatchObject({ sums: [], is_complete: true });
    await change(payment_id, { due_at: inDays(1) });
    await finalize(payment_id);
    expect((await activity()).sums).toMatchObject([{ count: 1, requested: 1250 }]);
  });

  it("ends when it is canceled, also after its expiry, or when its account closes; its row stays", async () => {
    const one = await draft({ expires_at: inDays(1) });
    const two = await draft();
    world.clock.advance(2 * dayMs);
    const canceled = await world.call(cancelPayment, org.member.actor, { payment_id: one.payment_id });
    expect(canceled).toMatchObject({ status: "canceled", payment_url: null });
    expect(await refusalOf(finalize(one.payment_id))).toBe("not_a_draft");
    expect(await refusalOf(change(one.payment_id, { amount: 1 }))).toBe("payment_not_updatable");
    await closeAccountOf(world, org.member.actor, org.member.accountId);
    expect((await paymentRow(world, two.payment_id)).status).toBe("canceled");
    for (const { payment_id } of [one, two]) await expectOneTruth(world, payment_id);
  });
});

describe("a change of a draft", () => {
  it("applies to every field, is checked as a whole, and is announced", async () => {
    const { payment_id } = await draft({ metadata: { a: "1", b: "2" }, reference: "R-1" });
    const changed = await change(payment_id, {
      ...{ type: "invoice", amount: 700, currency: "usd", description: "Chairs", reference: "R-2", locale: "de" },
      ...{ capture_method: "manual", expires_at: inDays(40), due_at: inDays(20), success_url: "https://a.example/" },
      ...{ customer: { email: "ada@example.com" }, metadata: { a: null, c: "3" }, reminders: { offsets_days: [-1] } },
    });
    expect(changed).toMatchObject({
      ...{ type: "invoice", amount: 700, currency: "USD", description: "Chairs", reference: "R-2", locale: "de" },
      ...{ capture_method: "manual", expires_at: inDays(40), due_at: inDays(20), success_url: "https://a.example/" },
      ...{ customer: { email: "ada@example.com" }, metadata: { b: "2", c: "3" }, reminders: [{ offset_days: -1 }] },
    });
    const line = { name: "Chair", quantity: 2, unit_amount: 500 };
    expect(await change(payment_id, { line_items: [line] })).toMatchObject({ amount: 1000, description: "Chairs" });
    expect(await refusalOf(change(payment_id, { amount: 5 }))).toBe("amount_mismatch");
    expect(await faultOf(change(payment_id, { line_items: null }))).toContain("amount: is required");
    expect(await faultOf(change(payment_id, { type: "product" }))).toContain("due_at: is only for type invoice");
    expect(await faultOf(change(payment_id, { type: "subscription", due_at: null }))).toContain(
      "subscription: is required",
    );
    expect(await faultOf(change(payment_id, { customer: null }))).toContain("customer.email: is required");
    expect(await faultOf(change(payment_id, { due_at: null, expires_at: null }))).toContain("reminders: need");
    expect(await faultOf(change(payment_id, { expires_at: inDays(-1) }))).toContain(
      "expires_at: must be in the future",
    );
    const many = Object.fromEntries(Array.from({ length: limits.metadata.keys }, (_, i) => [`k${i}`, "v"]));
    expect(await faultOf(change(payment_id, { metadata: many }))).toContain("metadata: at most");
    await draft({ reference: "R-3" });
    expect(await refusalOf(change(payment_id, { reference: "R-3" }))).toBe("duplicate_reference");
    const moved = { account_id: org.other.accountId };
    expect(await refusalOf(change(payment_id, moved))).toBe("account_not_found");
    expect(await refusalOf(change(payment_id, moved, org.admin.actor))).toBe("payment_not_updatable");
    const kept = await change(payment_id, { account_id: org.member.accountId });
    expect(kept).toMatchObject({ amount: 1000, reference: "R-2", reminders: [{ offset_days: -1 }] });
    const found = await world.call(listPaymentRequests, org.member.actor, { q: "chairs ada" });
    expect(found.data.map((one) => one.payment_id)).toEqual([payment_id]);
    expect(await world.call(listPaymentRequests, org.member.actor, { q: "R-1" })).toMatchObject({ data: [] });
    const updated = ["payment.updated", "draft", "draft"];
    expect(await eventsOf(payment_id)).toEqual([["payment.created", null, "draft"], updated, updated]);
    await expectOneTruth(world, payment_id);
  });

  it("is refused with the version of an earlier one", async () => {
    const made = await draft();
    const tag = (at: string) => ({ ifMatch: `"${Date.parse(at).toString(36)}.x"` });
    const { payment_id } = made;
    const patch = { payment_id, description: "One" };
    const first = await world.call(updatePaymentRequest, org.member.actor, patch, tag(made.updated_at));
    const again = world.call(updatePaymentRequest, org.member.actor, patch, tag(made.updated_at));
    expect(await refusalOf(again)).toBe("version_conflict");
    const early = world.call(finalizePayment, org.member.actor, { payment_id }, tag(made.updated_at));
    expect(await refusalOf(early)).toBe("version_conflict");
    // What it says already is no change.
    const same = await world.call(updatePaymentRequest, org.member.actor, patch, tag(first.updated_at));
    expect(same.updated_at).toBe(first.updated_at);
    expect(await eventsOf(payment_id)).toHaveLength(2);
    const final = await world.call(finalizePayment, org.member.actor, { payment_id }, tag(same.updated_at));
    expect(final.status).toBe("pending");
  });

  it("is not allowed to viewers, to others, without customers:read or without mails:write", async () => {
    const { payment_id } = await draft();
    const { customer_id } = await world.call(createCustomer, org.member.actor, { email: "grace@example.com" });
    expect(await refusalOf(change(payment_id, { amount: 1 }, org.other.actor))).toBe("payment_not_found");
    expect(await refusalOf(finalize(payment_id, org.other.actor))).toBe("payment_not_found");
    const key = (await apiKey(world, org.id, ["payments:write"])).actor;
    expect(await refusalOf(change(payment_id, { customer: { customer_id } }, key))).toBe("insufficient_permissions");
    const customer = { email: "grace@example.com" };
    const planned = { customer, reminders: { offsets_days: [-1] } };
    expect(await refusalOf(change(payment_id, planned, key))).toBe("insufficient_permissions");
    await change(payment_id, planned);
    expect(await refusalOf(finalize(payment_id, key))).toBe("insufficient_permissions");
    await change(payment_id, { reminders: null });
    expect((await finalize(payment_id, key)).status).toBe("pending");
    const other = { customer: { email: "alan@example.com" } };
    await change(payment_id, { reminders: { offsets_days: [-1] } });
    expect(await refusalOf(change(payment_id, other, key))).toBe("insufficient_permissions");
    await change(payment_id, { reminders: null });
    expect((await change(payment_id, other, key)).customer?.email).toBe("alan@example.com");
  });
});

describe("finalizing", () => {
  it("makes link, expiry, reminders and customer, once", async () => {
    const customer = { name: "Grace", email: `grace${world.clock.now()}@example.com` };
    const { payment_id } = await draft({ customer, reminders: { offsets_days: [-40, -1] } });
    world.clock.advance(3 * dayMs);
    const final = await finalize(payment_id);
    expect(final).toMatchObject({ status: "pending", expires_at: inDays(30) });
    expect(final.customer?.customer_id).toMatch(/^cus_/);
    expect(final.reminders).toMatchObject([{ skipped_reason: "missed" }, { planned_at: morning(29) }]);
    expect(await jobsOf(payment_id)).toHaveLength(2);
    expect(await refusalOf(finalize(payment_id))).toBe("not_a_draft");
    expect(await eventsOf(payment_id)).toEqual([
      ["payment.created", null, "draft"],
      ["payment.finalized", "draft", "pending"],
    ]);
    expect((await openPage(world, tokenOf(final.payment_url))).state).toBe("open");
    await payWith(world, tokenOf(final.payment_url));
    expect(await paymentRow(world, payment_id)).toMatchObject({ status: "paid", amountPaid: 1250 });
    await expectOneTruth(world, payment_id);
  });

  it("checks everything again: expiry, account, owner, currency, customer", async () => {
    const late = await draft({ expires_at: inDays(1) });
    world.clock.advance(2 * dayMs);
    expect(await faultOf(finalize(late.payment_id))).toContain("expires_at: must be in the future");
    await change(late.payment_id, { description: "An expiry that has passed hinders no other change" });
    await change(late.payment_id, { expires_at: null });
    const own = eq(accounts.id, org.member.accountId);
    const own2 = (ownerUserId: string | null, orphanedAt: number | null) =>
      world.runtime.db.write((tx) => tx.update(accounts).set({ ownerUserId, orphanedAt }).where(own));
    await own2(null, world.clock.now());
    expect(await refusalOf(finalize(late.payment_id, org.admin.actor))).toBe("payment_not_payable");
    await own2(org.member.id, null);
    expect((await finalize(late.payment_id)).status).toBe("pending");
    const { customer_id } = await world.call(createCustomer, org.member.actor, {
      name: "Gone",
      email: "gone@example.com",
    });
    const named = await draft({ customer: { customer_id } });
    const typed = await draft({ customer: { email: "Gone@example.com" } });
    await world.call(eraseCustomer, org.member.actor, { customer_id });
    for (const { payment_id } of [named, typed]) {
      expect((await paymentRow(world, payment_id)).customer?.email).toBeNull();
      expect(await refusalOf(finalize(payment_id))).toBe("customer_not_found");
      expect((await duplicate(payment_id)).customer).toBeNull();
      await change(payment_id, { customer: null });
      expect((await finalize(payment_id)).status).toBe("pending");
    }
  });

  it("leads to the survivor of a customer that was merged", async () => {
    const make = (name: string) => world.call(createCustomer, org.member.actor, { name });
    const [one, two] = [await make("One"), await make("Two")];
    const { payment_id } = await draft({ customer: { customer_id: one.customer_id } });
    await world.call(mergeCustomer, org.member.actor, {
      ...{ customer_id: one.customer_id, into_customer_id: two.customer_id },
    });
    const { customer } = await finalize(payment_id);
    expect(customer).toMatchObject({ customer_id: two.customer_id, name: "One" });
  });
});

describe("a change of an open payment request", () => {
  const ask = (fields: RequestFields = {}) => draft({ draft: false, ...fields });

  it("moves its expiry job and its reminders, and replaces the open ones", async () => {
    const customer = { email: "grace@example.com" };
    const { payment_id } = await ask({
      type: "invoice",
      due_at: inDays(10),
      customer,
      reminders: { offsets_days: [-9, 0] },
    });
    // The clock shows noon.
    world.clock.advance(dayMs);
    await runJobs(world);
    const moved = await change(payment_id, { due_at: inDays(20), expires_at: inDays(60) });
    expect(moved.reminders).toMatchObject([{ sent_at: expect.any(String) }, { planned_at: morning(20) }]);
    const at = (days: number) => world.clock.now() + days * dayMs;
    const jobsNow = async () => (await jobsOf(payment_id)).sort((a, b) => a.runAt - b.runAt);
    expect(await jobsNow()).toEqual([
      { kind: "payments.remind", runAt: Date.parse(morning(20)) },
      { kind: "payments.overdue", runAt: at(20) + 1 },
      { kind: "payments.expire", runAt: at(60) },
    ]);
    const replaced = await change(payment_id, { reminders: { offsets_days: [-9, 5] }, expires_at: null });
    expect(replaced.reminders).toMatchObject([
      { sent_at: expect.any(String) },
      { offset_days: 5, planned_at: morning(25) },
    ]);
    expect(await jobsNow()).toEqual([
      { kind: "payments.overdue", runAt: at(20) + 1 },
      { kind: "payments.remind", runAt: Date.parse(morning(25)) },
    ]);
    expect((await change(payment_id, { due_at: inDays(-30) })).reminders).toMatchObject([
      {},
      { skipped_reason: "missed" },
    ]);
    expect(await jobsNow()).toEqual([{ kind: "payments.overdue", runAt: at(-30) + 1 }]);
    await change(payment_id, { reminders: null });
    const rows = world.runtime.db.read
      .select()
      .from(paymentReminders)
      .where(eq(paymentReminders.paymentId, payment_id));
    expect(await rows).toHaveLength(2);
    expect((await change(payment_id, { description: null, metadata: { a: "1" } })).metadata).toEqual({ a: "1" });
    await expectOneTruth(world, payment_id);
  });

  it("refuses each other field by name, and all but metadata once it has ended", async () => {
    const { payment_id, payment_url } = await ask();
    const line_items = [{ name: "x", quantity: 1, unit_amount: 1250 }];
    const fixed: Patch[] = [
      ...[{ amount: 1 }, { currency: "USD" }, { type: "invoice" as const }, { reference: "x" }, { line_items }],
      ...[{ capture_method: "manual" as const }, { locale: "de" }, { success_url: null }, { subscription: null }],
    ];
    for (const patch of fixed) {
      const fault = await faultOf(change(payment_id, patch));
      expect(fault).toBe(`payment_not_updatable ${Object.keys(patch)[0]}: can only be changed while it is a draft`);
    }
    await payWith(world, tokenOf(payment_url));
    for (const patch of [{ description: "x" }, { due_at: null }, { customer: null }, { expires_at: inDays(9) }])
      expect(await refusalOf(change(payment_id, patch))).toBe("payment_not_updatable");
    expect((await change(payment_id, { metadata: { after: "all" } })).metadata).toEqual({ after: "all" });
    await expectOneTruth(world, payment_id);
  });

  it("records first that it has expired, where no job has yet", async () => {
    const { payment_id } = await ask({ expires_at: inDays(1) });
    world.clock.advance(2 * dayMs);
    await change(payment_id, { metadata: { found: "late" } });
    expect(await eventsOf(payment_id)).toEqual([
      ["payment.created", null, "pending"],
      ["payment.expired", "pending", "expired"],
      ["payment.updated", "expired", "expired"],
    ]);
    await expectOneTruth(world, payment_id);
    await expectSoundLedger(world);
  });

  it("addresses it to another customer until somebody has tried to pay", async () => {
    const { payment_id, payment_url } = await ask({
      customer: { name: "Wrong", email: "wrong@example.com" },
      send: true,
    });
    const { customer } = await change(payment_id, { customer: { name: "Right", email: "right@example.com" } });
    expect(customer).toMatchObject({ name: "Right", customer_id: expect.stringMatching(/^cus_/) });
    const find = async (q: string) => (await world.call(listPaymentRequests, org.member.actor, { q })).data.length;
    expect([await find("wrong"), await find("right")]).toEqual([0, 1]);
    const reminded = await world.call(remindPayment, org.member.actor, { payment_id });
    expect(reminded.to).toBe("right@example.com");
    const [wrong] = await world.runtime.db.read.select().from(customers).where(eq(customers.name, "Wrong"));
    await world.call(eraseCustomer, org.member.actor, { customer_id: wrong?.id ?? "" });
    const sent = await world.runtime.db.read.select().from(mails).where(eq(mails.paymentId, payment_id));
    expect(sent.map(({ toAddress }) => toAddress).sort()).toEqual([`erased+${wrong?.id}`, "right@example.com"]);
    expect((await paymentRow(world, payment_id)).customer?.name).toBe("Right");
    await payWith(world, tokenOf(payment_url), {
      card_number: "4000002500003155",
      expiry: "12/30",
      security_code: "123",
    });
    expect(await refusalOf(change(payment_id, { customer: null }))).toBe("payment_processing");
    expect((await change(payment_id, { description: "Still open" })).status).toBe("requires_action");
  });
});

describe("a copy", () => {
  it("is a draft that says the same, without reference, dates and reminders", async () => {
    const customer = { name: "Grace", email: "grace@example.com" };
    const line_items = [{ name: "Chair", quantity: 2, unit_amount: 500 }];
    const first = await draft({
      ...{ draft: false, type: "invoice", amount: null, line_items, reference: "R-1", due_at: inDays(5), customer },
      ...{ expires_at: inDays(9), reminders: { offsets_days: [-1] }, metadata: { a: "1" }, locale: "de" },
    });
    await world.call(cancelPayment, org.member.actor, { payment_id: first.payment_id });
    const copy = await duplicate(first.payment_id);
    expect(copy).toEqual({
      ...first,
      ...{ payment_id: copy.payment_id, status: "draft", reference: null, due_at: null, expires_at: null },
      ...{ invoice: { ...first.invoice, issue_date: null }, invoice_number: null, pdf_url: null },
      ...{ payment_url: null, reminders: null, created_at: copy.created_at, updated_at: copy.updated_at },
    });
    expect(copy.payment_id).not.toBe(first.payment_id);
    const { payment_id } = await duplicate(copy.payment_id);
    expect((await finalize(payment_id)).customer).toEqual(first.customer);
    for (const id of [copy.payment_id, payment_id]) await expectOneTruth(world, id);
  });
});
