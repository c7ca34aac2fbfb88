// Credit notes: a refund, a cancelation or a final partial capture of an issued invoice makes one, without gaps.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dialect } from "@/db/dialect";
import { creditNotes, transactions } from "@/db/tables";
import { updateAccount } from "@/server/domains/accounts/operations/update";
import { verifyLedger } from "@/server/domains/ledger/verify";
import { runtimeAt } from "@/server/domains/organizations/time";
import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { inBackground } from "@/server/domains/records/in-background";
import { settle } from "@/server/domains/transactions/settle";
import { type IdPrefix, newId } from "@/server/kit/ids";
import { closeAccountOf, eraseCustomerOf } from "@/test/closing";
import { eventTypesOf } from "@/test/events";
import { runJobs } from "@/test/jobs";
import { cancelRequest, captureRequest } from "@/test/merchant";
import { beginCharge, expectSoundLedger, settleNow } from "@/test/money";
import { ask, card, payPart, payWith, type RequestFields, transactionsOf } from "@/test/payer";
import { anotherProcess, openWorld, type TestOrganization, type World } from "@/test/world";
import { applyCredit } from "../operations/apply-credit";
import { cancelPayment } from "../operations/cancel";
import { extendPayment } from "../operations/extend";
import { getPayment } from "../operations/get";
import { markPaid } from "../operations/mark-paid";
import { refundPayment } from "../operations/refund";
import { refreshPayment } from "../refresh";
import { creditNotesOfOne } from "./credit-note-store";

let world: World;
/** Calls come from two processes if the engine supports several. */
let processes: World[];
let acme: TestOrganization;
beforeAll(async () => {
  world = await openWorld();
  processes = dialect === "postgres" ? [world, await anotherProcess(world)] : [world];
});
beforeEach(async () => {
  world.clock.advance(1000);
  acme = await world.organization();
});
afterAll(async () => {
  await expectSoundLedger(world);
  for (const one of processes.toReversed()) await one.close();
});

const actor = () => acme.member.actor;
const invoice = (fields: RequestFields = {}) => ask(world, actor(), { type: "invoice", amount: 1250, ...fields });
const offline = { method: "bank_transfer", reason: "Statement" } as const;
const paid = async (fields: RequestFields = {}) => {
  const { payment } = await invoice(fields);
  await world.call(markPaid, actor(), { payment_id: payment.payment_id, ...offline });
  return payment.payment_id;
};
const byCard = async (number = "4242424242424242", fields: RequestFields = {}) => {
  const { payment, token } = await invoice(fields);
  await payWith(world, token, card(number));
  return payment.payment_id;
};
const refund = (payment_id: string, amount?: number, from = world, transaction_id?: string) =>
  from.call(refundPayment, actor(), { payment_id, amount, transaction_id });
const get = (payment_id: string) => world.call(getPayment, acme.admin.actor, { payment_id });
const notesOf = async (payment_id: string) => (await get(payment_id)).credit_notes;
const amountsOf = async (payment_id: string) => (await notesOf(payment_id)).map(({ amount }) => amount);
const recordsOf = async (payment_id: string) =>
  (await creditNotesOfOne(world.runtime.db.read, payment_id)).map(({ record }) => record);
const sequences = async () => {
  const { read } = world.runtime.db;
  const rows = await read.select().from(creditNotes).where(eq(creditNotes.accountId, acme.member.accountId));
  return rows.map(({ sequence }) => sequence).sort((a, b) => a - b);
};
const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);
const expectProof = async () =>
  expect(await verifyLedger(world.database.url, world.runtime.keys)).toMatchObject({ ok: true });
const setPreferences = (preferences: object) =>
  world.call(updateAccount, actor(), { account_id: acme.member.accountId, preferences } as never);
const prefer = (invoicePreferences: object) => setPreferences({ invoice: invoicePreferences });
const validOf = async (id: string) => (await notesOf(id)).filter(({ voided_at }) => voided_at === null);
const creditedOf = async (id: string) => (await validOf(id)).reduce((sum, { amount }) => sum + amount, 0);

describe("a refund", () => {
  it("makes a credit note that names the invoice, with numbers of its own", async () => {
    await prefer({ number_prefix: "INV-" });
    const id = await paid();
    const { transaction_id } = await refund(id, 250);
    const [note] = await notesOf(id);
    expect(note).toMatchObject({
      ...{ credit_note_number: "INV-CN-2026-0001", cause: "refund", amount: 250, refund_id: transaction_id },
      ...{ pdf_problem: null, voided_at: null },
    });
    expect(note?.pdf_url).toMatch(new RegExp(`/pay/qtpl_[^/]+/credit-notes/${note?.credit_note_id}\\.pdf$`));
    expect((await recordsOf(id))[0]).toMatchObject({
      preceding_invoice: { number: "INV-2026-0001", issue_date: "2026-11-20" },
      lines: [{ item_name: null, quantity: 1, net_amount: 250 }],
      ...{ issue_date: "2026-11-20", net_amount: 250, tax_amount: 0, gross_amount: 250 },
    });
    await prefer({ number_prefix: "ZZ-" });
    await refund(id);
    const numbers = (await notesOf(id)).map((one) => one.credit_note_number);
    expect(numbers).toEqual(["INV-CN-2026-0001", "INV-CN-2026-0002"]);
    expect(await eventTypesOf(world, id)).toContain("credit_note.created");
    expect((await paid()) && (await get(await paid())).invoice_number).toBe("ZZ-2026-0003");
  });

  it("makes none of a payment request that is no invoice", async () => {
    const id = await paid({ type: "product" });
    await refund(id);
    expect(await notesOf(id)).toEqual([]);
  });

  it("makes one once it succeeds, and it is void once it fails after all", async () => {
    const id = await byCard("4000000000005126");
    await refund(id, 1000);
    const [first] = await notesOf(id);
    expect(first).toMatchObject({ amount: 1000, voided_at: null });
    world.clock.advance(7 * 86_400_000);
    await runJobs(world);
    expect((await get(id)).amount_refunded).toBe(0);
    expect(await notesOf(id)).toMatchObject([{ ...first, voided_at: expect.any(String) }]);
    await refund(id);
    expect(await notesOf(id)).toMatchObject([{ amount: 1000 }, { amount: 1250, voided_at: null }]);
    expect(await sequences()).toEqual(upTo(2));
    await expectProof();
  });

  it("of one minor unit each, over three tax rates, adds up to the taxes of the invoice", async () => {
    const line = (name: string, unit_amount: number, tax_rate_bp: number) => ({
      name,
      quantity: 1,
      unit_amount,
      tax_rate_bp,
    });
    const line_items = [line("A", 3, 1_900), line("B", 9, 700), line("C", 5, 0)];
    const id = await paid({ amount: undefined, line_items } as never);
    const { amount } = await get(id);
    for (let at = 0; at < (amount ?? 0); at++) await refund(id, 1);
    const sums = new Map<number | null, [number, number]>();
    for (const { vat_rate_bp: rate, ...tax } of (await recordsOf(id)).flatMap(({ taxes }) => taxes)) {
      const [net, vat] = sums.get(rate) ?? [0, 0];
      sums.set(rate, [net + tax.taxable_amount, vat + tax.tax_amount]);
    }
    expect(Object.fromEntries(sums)).toEqual({ 0: [5, 0], 700: [9, 1], 1900: [3, 1] });
    await expectProof();
  });

  it("is on the credit note's page in full if it is all of the invoice", async () => {
    const line_items = [{ name: "Cake", quantity: 3, unit_amount: 500, tax_rate_bp: 1_900 }];
    const id = await paid({ amount: undefined, line_items } as never);
    await refund(id);
    expect((await recordsOf(id))[0]).toMatchObject({ lines: [{ item_name: "Cake", quantity: 3 }], tax_amount: 285 });
  });

  it("of surplus makes none, nor does the part that is surplus", async () => {
    const { payment, token } = await invoice();
    const id = payment.payment_id;
    await payWith(world, token);
    await overpay(id, 1000);
    expect(await get(id)).toMatchObject({ amount_overpaid: 1000 });
    const first = (await transactionsOf(world, id)).find(({ amount }) => amount === 1250);
    await refund(id, 400, world, first?.id);
    expect(await notesOf(id)).toEqual([]);
    await refund(id, 800, world, first?.id);
    expect(await amountsOf(id)).toEqual([200]);
    await expectProof();
  });

  it("that takes back credit makes none for it, and the rest one", async () => {
    const { payment } = await invoice({ customer: { name: "Ada", email: "ada@example.com" } });
    const { payment_id } = payment;
    await world.call(markPaid, actor(), { payment_id, ...offline, amount: 2000, overpayment: "credit" });
    await refund(payment_id, 750);
    expect(await notesOf(payment_id)).toEqual([]);
    await refund(payment_id, 100);
    expect(await amountsOf(payment_id)).toEqual([100]);
    await expectProof();
  });

  it("of surplus makes none once the credit that was made of it is spent", async () => {
    const customer = { name: "Ada", email: "spent@example.com" };
    const [first, second] = [await invoice({ customer }), await invoice({ customer, amount: 500 })];
    const { payment_id } = first.payment;
    await world.call(markPaid, actor(), { payment_id, ...offline, amount: 2000, overpayment: "credit" });
    await world.call(applyCredit, actor(), { payment_id: second.payment.payment_id });
    // 250 of the credit are left; they are taken back first.
    await refund(payment_id, 450);
    expect(await amountsOf(payment_id)).toEqual([200]);
    await refund(second.payment.payment_id);
    expect(await amountsOf(second.payment.payment_id)).toEqual([500]);
    await expectProof();
  });

  it("of a customer who was erased makes one that says what the invoice said", async () => {
    const id = await paid({ customer: { name: "Grace", email: "erased@example.com" } });
    const customer_id = (await get(id)).customer?.customer_id ?? "";
    await eraseCustomerOf(world, actor(), customer_id);
    await refund(id);
    expect(await notesOf(id)).toMatchObject([{ amount: 1250, pdf_url: null }]);
    expect((await recordsOf(id))[0]?.buyer?.name).toBe("Grace");
  });

  it("of an installment credits that part", async () => {
    const installments = [
      { amount: 500, due_at: "2026-12-01T00:00:00Z" },
      { amount: 750, due_at: "2027-01-01T00:00:00Z" },
    ];
    const { payment, token } = await invoice({ installments });
    await payPart(world, token, "next");
    await refund(payment.payment_id);
    await cancelRequest(world, actor(), payment.payment_id);
    expect(await amountsOf(payment.payment_id)).toEqual([500, 750]);
    await expectProof();
  });
});

/** The provider's report that a charge has captured its whole amount. */
const charged = (reference: string | null, amount: number, dispute: object | null = null) => {
  const made = { amountAuthorized: amount, amountCaptured: amount, amountReleased: 0, feeAmount: 0 };
  return {
    ...{ kind: "charge", status: "succeeded", reference, ...made },
    ...{ captureBefore: null, actionUrl: null, failure: null, dispute, card: null },
  } as never;
};

/** An attempt that was given up. */
const givenUp = (paymentId: string, amount: number) =>
  beginCharge(world, acme.member, { paymentId, amount, status: "failed", settledAt: world.clock.now() });

/** Another payment arrives that the payment request does not need. */
async function overpay(paymentId: string, amount: number) {
  const attempt = await givenUp(paymentId, amount);
  await settleNow(world, attempt.id, charged(`late_${attempt.id}`, amount));
}

describe("a cancelation", () => {
  it("credits what is left, also after a part was paid", async () => {
    const { payment } = await invoice();
    await cancelRequest(world, actor(), payment.payment_id);
    expect(await notesOf(payment.payment_id)).toMatchObject([{ cause: "cancelation", amount: 1250, refund_id: null }]);
    const part = await invoice({ allow_partial: true, minimum_amount: 100 });
    await payPart(world, part.token, "own", 400);
    await cancelRequest(world, actor(), part.payment.payment_id);
    expect(await amountsOf(part.payment.payment_id)).toEqual([850]);
    await refund(part.payment.payment_id);
    expect(await amountsOf(part.payment.payment_id)).toEqual([850, 400]);
    await expectProof();
  });

  it("of a draft makes none", async () => {
    const { payment } = await invoice({ draft: true });
    await cancelRequest(world, actor(), payment.payment_id);
    expect(await notesOf(payment.payment_id)).toEqual([]);
  });

  it("comes with the closing of an account", async () => {
    const { payment } = await invoice();
    await closeAccountOf(world, acme.admin.actor, acme.member.accountId);
    await runJobs(world);
    const seen = await world.call(getPayment, acme.admin.actor, { payment_id: payment.payment_id });
    expect(seen).toMatchObject({ status: "canceled", credit_notes: [{ cause: "cancelation", amount: 1250 }] });
  });
});

describe("others", () => {
  it("a final partial capture credits what it waives", async () => {
    const { payment, token } = await invoice({ capture_method: "manual" });
    await payWith(world, token);
    await captureRequest(world, actor(), payment.payment_id, 1000);
    expect(await notesOf(payment.payment_id)).toMatchObject([{ cause: "partial_capture", amount: 250 }]);
    await refund(payment.payment_id);
    expect(await amountsOf(payment.payment_id)).toEqual([250, 1000]);
    await expectProof();
  });

  it("expiry credits nothing, because the request can be extended", async () => {
    const { payment } = await invoice({ expires_at: "2026-12-01T00:00:00Z" });
    world.clock.advance(20 * 86_400_000);
    await runJobs(world);
    expect(await get(payment.payment_id)).toMatchObject({ status: "expired", credit_notes: [] });
    const expires_at = new Date(world.clock.now() + 86_400_000).toISOString();
    await world.call(extendPayment, actor(), { payment_id: payment.payment_id, expires_at });
    expect(await notesOf(payment.payment_id)).toEqual([]);
  });
});

describe("no gaps", () => {
  it("remain when fifty are refunded at once and half of them are rolled back", async () => {
    const ids: string[] = [];
    for (let at = 0; at < 50; at++) ids.push(await paid());
    const outcomes = await Promise.all(
      ids.map((id, at) => {
        const from = processes[at % processes.length] ?? world;
        return at % 2 === 0 ? refund(id, undefined, from).then(() => "done") : rolledBack(from, id);
      }),
    );
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(25);
    expect(outcomes.filter((outcome) => outcome === "rolled back")).toHaveLength(25);
    expect(await sequences()).toEqual(upTo(25));
    await expectProof();
  });

  it("remain when a part is refunded and the rest canceled at once", async () => {
    const { payment, token } = await invoice({ allow_partial: true, minimum_amount: 100 });
    const id = payment.payment_id;
    await payPart(world, token, "own", 400);
    const other = processes[1] ?? world;
    await Promise.all([refund(id), other.call(cancelPayment, actor(), { payment_id: id })]);
    expect((await amountsOf(id)).sort((a, b) => a - b)).toEqual([400, 850]);
    expect(await sequences()).toEqual(upTo(2));
    await expectProof();
  });

  it("remain when two workers settle the success of the same refund", async () => {
    const id = await byCard("4000000000007726");
    const { transaction_id } = await refund(id, 600);
    expect(await notesOf(id)).toEqual([]);
    const [row] = await world.runtime.db.read.select().from(transactions).where(eq(transactions.id, transaction_id));
    const reference = row?.providerReference ?? null;
    const succeeded = { kind: "refund", status: "succeeded", reference, failure: null } as never;
    await Promise.all(processes.concat(world).map((one) => settleNow(one, transaction_id, succeeded)));
    expect(await amountsOf(id)).toEqual([600]);
    await expectProof();
  });

  it("remain when two workers settle the same refund", async () => {
    const id = await byCard("4000000000005126");
    const { transaction_id } = await refund(id, 600);
    const [row] = await world.runtime.db.read.select().from(transactions).where(eq(transactions.id, transaction_id));
    const failed = {
      ...{ kind: "refund", status: "failed", reference: row?.providerReference },
      failure: { code: "refund_failed", message: "Returned." },
    } as never;
    await Promise.all(processes.concat(world).map((one) => settleNow(one, transaction_id, failed)));
    expect(await notesOf(id)).toMatchObject([{ amount: 600, voided_at: expect.any(String) }]);
    await expectProof();
  });
});

/**
 * An invoice of 1250 of which 400 were paid, by a card whose refunds fail a week after they succeeded, before it was
 * canceled. The rest came later.
 */
async function canceledAndPaidLate() {
  const { payment, token } = await invoice({ allow_partial: true, minimum_amount: 100 });
  const id = payment.payment_id;
  await payPart(world, token, "own", 400, card("4000000000005126"));
  world.clock.advance(1000);
  await payPart(world, token, "all", null, { ...card(troubledCard), security_code: lostAnswerCode });
  await closeAccountOf(world, acme.admin.actor, acme.member.accountId);
  expect(await amountsOf(id)).toEqual([850]);
  world.clock.advance(10 * 60_000);
  await runJobs(world);
  expect(await get(id)).toMatchObject({ canceled_at: expect.any(String), amount_paid: 1250 });
  const rows = await transactionsOf(world, id);
  const idOf = (amount: number) => rows.find((row) => row.amount === amount)?.id ?? "";
  return { id, early: idOf(400), late: idOf(850) };
}

describe("a cancelation before the rest is paid", () => {
  const refundAll = async (id: string, transaction_id: string, amount?: number) =>
    (await world.call(refundPayment, acme.admin.actor, { payment_id: id, transaction_id, amount })).transaction_id;
  const refundNotesOf = async (id: string) => (await validOf(id)).filter(({ cause }) => cause === "refund");

  it("lets a refund of what was paid before make a credit note", async () => {
    const { id, early } = await canceledAndPaidLate();
    const refund_id = await refundAll(id, early);
    expect(await refundNotesOf(id)).toMatchObject([{ amount: 400, refund_id }]);
    await expectProof();
  });

  it("lets the same refunds make the same credit notes in the other order, which name their refund", async () => {
    const { id, early, late } = await canceledAndPaidLate();
    await refundAll(id, late);
    expect(await creditedOf(id)).toBe(850);
    const refund_id = await refundAll(id, early);
    expect(await refundNotesOf(id)).toMatchObject([{ amount: 400, refund_id }]);
    await expectProof();
  });

  it("lets a refund that fails take its credit note with it", async () => {
    const { id, early, late } = await canceledAndPaidLate();
    await refundAll(id, late);
    await refundAll(id, early);
    expect(await creditedOf(id)).toBe(1250);
    world.clock.advance(7 * 86_400_000);
    await runJobs(world);
    expect(await get(id)).toMatchObject({ amount_paid: 1250, amount_refunded: 850 });
    expect(await creditedOf(id)).toBe(850);
    await expectProof();
  });

  it("lets a refund make a credit note although a dispute took what came later", async () => {
    const { id, early, late } = await canceledAndPaidLate();
    const row = (await transactionsOf(world, id)).find((one) => one.id === late);
    const dispute = { reference: null, status: "lost", amount: 850, currency: "EUR" };
    await settleNow(world, late, charged(row?.providerReference ?? "", 850, dispute));
    expect(await get(id)).toMatchObject({ amount_paid: 1250, amount_refunded: 0, amount_disputed: 850 });
    await refundAll(id, early);
    expect(await creditedOf(id)).toBe(1250);
    await expectProof();
  });

  it("lets a refund make a credit note although more came later than was missing", async () => {
    const { payment, token } = await invoice({ allow_partial: true, minimum_amount: 100 });
    const id = payment.payment_id;
    await payPart(world, token, "own", 400);
    await cancelRequest(world, actor(), id);
    await overpay(id, 1250);
    expect(await get(id)).toMatchObject({ amount_overpaid: 400 });
    const early = (await transactionsOf(world, id)).find(({ amount }) => amount === 400)?.id ?? "";
    await refundAll(id, early, 150);
    await refundAll(id, early);
    expect(await amountsOf(id)).toEqual([850, 150, 250]);
    await expectProof();
  });
});

describe("a final partial capture", () => {
  /** An invoice of 1250 of which 1000 were captured and 250 credited, and an attempt of it that was given up. */
  async function partlyCaptured() {
    const { payment, token } = await invoice({ capture_method: "manual" });
    const id = payment.payment_id;
    const given = await givenUp(id, 1250);
    await payWith(world, token);
    world.clock.advance(1000);
    await captureRequest(world, actor(), id, 1000);
    expect(await amountsOf(id)).toEqual([250]);
    const held = (await transactionsOf(world, id)).find((row) => row.amountCaptured > 0);
    return { id, given: given.id, held: held?.id ?? "", reference: held?.providerReference ?? null };
  }

  it("has a void credit note once the provider has captured all", async () => {
    const { id, held, reference } = await partlyCaptured();
    await settleNow(world, held, charged(reference, 1250));
    expect(await get(id)).toMatchObject({ status: "paid", amount_paid: 1250, amount_refunded: 0, amount_overpaid: 0 });
    expect(await notesOf(id)).toMatchObject([{ cause: "partial_capture", voided_at: expect.any(String) }]);
    await expectProof();
  });

  it("has another credit note once the provider has captured a part of the rest", async () => {
    const { id, held, reference } = await partlyCaptured();
    await settleNow(world, held, charged(reference, 1100));
    expect((await validOf(id)).map(({ amount }) => amount)).toEqual([150]);
    expect(await sequences()).toEqual(upTo(2));
    await expectProof();
  });

  it.each([0, 1])("keeps its credit note if a late charge began %i ms earlier, and waited for it", async (ms) => {
    const { id, given } = await partlyCaptured();
    const began = runtimeAt(world.runtime, world.clock.now() - ms);
    await inBackground(began, "test.settle", (ctx) => {
      ctx.audit({ target: given });
      return settle(ctx, given, charged(`late_${given}`, 1250));
    });
    expect(await get(id)).toMatchObject({ amount_paid: 2250, amount_overpaid: 1250 });
    expect((await validOf(id)).map(({ amount }) => amount)).toEqual([250]);
    await expectProof();
  });
});

it("its number has the year of its invoice's date after the account has moved to another time zone", async () => {
  await setPreferences({ timezone: "Pacific/Kiritimati" });
  world.clock.advance(Date.parse("2026-12-31T12:00:00Z") - world.clock.now());
  const { payment } = await invoice();
  expect(payment.invoice_number).toBe("2027-0001");
  await setPreferences({ timezone: "Pacific/Honolulu" });
  await cancelRequest(world, actor(), payment.payment_id);
  expect(await recordsOf(payment.payment_id)).toMatchObject([{ issue_date: "2027-01-01", number: "CN-2027-0001" }]);
  await expectProof();
});

it("its date is not before that of the previous number, whatever the time zone is now", async () => {
  await setPreferences({ timezone: "Pacific/Honolulu" });
  world.clock.advance(Date.parse("2027-03-31T12:00:00Z") - world.clock.now());
  const older = await paid();
  await setPreferences({ timezone: "Pacific/Kiritimati" });
  const { payment: newer } = await invoice();
  await cancelRequest(world, actor(), newer.payment_id);
  expect(await recordsOf(newer.payment_id)).toMatchObject([{ issue_date: "2027-04-01" }]);
  await setPreferences({ timezone: "Pacific/Honolulu" });
  await refund(older, 500);
  expect(await recordsOf(older)).toMatchObject([{ issue_date: "2027-04-01" }]);
  await expectProof();
});

/** Cancels the payment request in a transaction that fails afterwards. */
async function rolledBack(from: World, id: string): Promise<string> {
  const [{ db }, now] = [from.runtime, from.clock.now()];
  const quiet = { now, id: (prefix: IdPrefix) => newId(prefix, now), emit: () => {}, audit: () => {} };
  const ctx = (tx: unknown) => ({ ...quiet, db: tx, runtime: from.runtime }) as never;
  try {
    await db.write(async (tx) => {
      await tx.update(transactions).set({ amountCaptured: 0 }).where(eq(transactions.paymentId, id));
      await refreshPayment(ctx(tx), id, { canceledAt: now });
      if ((await creditNotesOfOne(tx, id)).length !== 1) throw new Error("No credit note was made.");
      throw new Error("rolled back");
    });
    return "done";
  } catch (error) {
    return (error as Error).message;
  }
}
