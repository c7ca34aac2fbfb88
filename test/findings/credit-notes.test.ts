// Findings about credit notes: each test fails, and says what should hold.
import { afterEach, beforeEach, expect, it } from "vitest";
import { updateAccount } from "@/server/domains/accounts/operations/update";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { verifyLedger } from "@/server/domains/ledger/verify";
import { runtimeAt } from "@/server/domains/organizations/time";
import { creditNotesOfOne } from "@/server/domains/payments/invoices/credit-note-store";
import { getPayment } from "@/server/domains/payments/operations/get";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { lostAnswerCode, troubledCard } from "@/server/domains/providers/test-cards";
import { inBackground } from "@/server/domains/records/in-background";
import { settle } from "@/server/domains/transactions/settle";
import { closeAccountOf } from "@/test/closing";
import { runJobs } from "@/test/jobs";
import { cancelRequest, captureRequest } from "@/test/merchant";
import { beginCharge, settleNow } from "@/test/money";
import { ask, card, payPart, payWith, type RequestFields, transactionsOf } from "@/test/payer";
import { openWorld, type TestOrganization, type World } from "@/test/world";

let world: World;
let acme: TestOrganization;
beforeEach(async () => {
  world = await openWorld();
  acme = await world.organization();
});
afterEach(() => world.close());

const actor = () => acme.member.actor;
const invoice = (fields: RequestFields = {}) => ask(world, actor(), { type: "invoice", amount: 1250, ...fields });
const get = (payment_id: string) => world.call(getPayment, acme.admin.actor, { payment_id });
const validOf = async (id: string) => (await get(id)).credit_notes.filter(({ voided_at }) => voided_at === null);
const creditedOf = async (id: string) => (await validOf(id)).reduce((sum, { amount }) => sum + amount, 0);
const refund = (payment_id: string, amount: number | undefined, transaction_id: string) =>
  world.call(refundPayment, acme.admin.actor, { payment_id, amount, transaction_id });
const prefer = (invoicePreferences: object) =>
  world.call(updateAccount, actor(), {
    ...{ account_id: acme.member.accountId, preferences: { invoice: invoicePreferences } },
  } as never);
const charged = (reference: string, amount: number, dispute: object | null = null) =>
  ({
    ...{ kind: "charge", status: "succeeded", reference, amountAuthorized: amount, amountCaptured: amount },
    ...{ amountReleased: 0, feeAmount: 0, captureBefore: null, actionUrl: null, failure: null, dispute, card: null },
  }) as never;

/** An invoice of 1250 of which 400 were paid before it was canceled with its account, and 850 came late. */
async function canceledAndPaidLate() {
  const { payment, token } = await invoice({ allow_partial: true, minimum_amount: 100 });
  const id = payment.payment_id;
  // A refund to this card succeeds, and fails a week later.
  await payPart(world, token, "own", 400, card("4000000000005126"));
  world.clock.advance(1000);
  await payPart(world, token, "all", null, { ...card(troubledCard), security_code: lostAnswerCode });
  await closeAccountOf(world, acme.admin.actor, acme.member.accountId);
  expect(await creditedOf(id)).toBe(850);
  world.clock.advance(10 * 60_000);
  await runJobs(world);
  expect(await get(id)).toMatchObject({ canceled_at: expect.any(String), amount_paid: 1250 });
  const rows = await transactionsOf(world, id);
  const idOf = (amount: number) => rows.find((row) => row.amount === amount)?.id ?? "";
  return { id, part: idOf(400), rest: idOf(850) };
}

/** Refunds all of a payment. */
async function refundAll(id: string, transaction: string) {
  const { transaction_id, status } = await refund(id, undefined, transaction);
  expect(status).toBe("succeeded");
  world.clock.advance(1000);
  return transaction_id;
}

it("1a. a credit note names the refund that made it necessary", async () => {
  const { id, part, rest } = await canceledAndPaidLate();
  await refundAll(id, rest);
  expect(await creditedOf(id)).toBe(850);
  const second = await refundAll(id, part);
  const notes = (await validOf(id)).filter(({ cause }) => cause === "refund");
  expect(notes).toMatchObject([{ amount: 400, refund_id: second }]);
});

it("1b. a refund that fails takes its credit note with it", async () => {
  const { id, part, rest } = await canceledAndPaidLate();
  await refundAll(id, rest);
  await refundAll(id, part);
  expect(await creditedOf(id)).toBe(1250);
  world.clock.advance(7 * 86_400_000);
  await runJobs(world);
  // The merchant has 400 of 1250: 850 of the invoice are credited.
  expect(await get(id)).toMatchObject({ amount_paid: 1250, amount_refunded: 850 });
  expect(await creditedOf(id)).toBe(850);
});

it("1c. a refund of what was paid before the cancelation makes a credit note, whatever came after it", async () => {
  const { id, part } = await canceledAndPaidLate();
  const second = await refundAll(id, part);
  // "Money that arrives after a cancelation was credited before it came, so its refund makes none": this is not its.
  const notes = (await validOf(id)).filter(({ cause }) => cause === "refund");
  expect(notes).toMatchObject([{ amount: 400, refund_id: second }]);
});

it("2. money that a lost dispute took is not kept by a canceled invoice", async () => {
  const { id, part, rest } = await canceledAndPaidLate();
  const [row] = (await transactionsOf(world, id)).filter((one) => one.id === rest);
  await settleNow(world, rest, charged(row?.providerReference ?? "", 850, { status: "lost", amount: 850 }));
  expect(await get(id)).toMatchObject({ amount_paid: 1250, amount_refunded: 0, amount_disputed: 850 });
  await refundAll(id, part);
  // 400 were paid and refunded; 850 were credited by the cancelation, came late and were charged back. Nothing is owed.
  expect(await creditedOf(id)).toBe(1250);
});

it("3. no invoice has the number of a credit note", async () => {
  const { payment, token } = await invoice();
  await payWith(world, token);
  const [paid] = await transactionsOf(world, payment.payment_id);
  for (const amount of [100, 200, 300]) await refund(payment.payment_id, amount, paid?.id ?? "");
  const taken = (await get(payment.payment_id)).credit_notes.map((note) => note.credit_note_number);
  expect(taken).toEqual(["CN-2026-0001", "CN-2026-0002", "CN-2026-0003"]);
  await prefer({ number_prefix: "CN-" });
  const { payment: next } = await invoice();
  expect(taken).not.toContain((await get(next.payment_id)).invoice_number);
});

const faultOfProof = async () => {
  const proof = await verifyLedger(world.database.url, world.runtime.keys);
  return proof.ok ? null : proof.fault;
};

/** An invoice of 1250 with a hold of which 1000 were captured, and 250 credited; and an attempt that was given up. */
async function partlyCaptured() {
  const { payment, token } = await invoice({ capture_method: "manual" });
  const id = payment.payment_id;
  const settledAt = world.clock.now();
  const given = await beginCharge(world, acme.member, { paymentId: id, amount: 1250, status: "failed", settledAt });
  await payWith(world, token);
  world.clock.advance(1000);
  await captureRequest(world, actor(), id, 1000);
  expect(await creditedOf(id)).toBe(250);
  expect(await faultOfProof()).toBe(null);
  const held = (await transactionsOf(world, id)).find((row) => row.amountCaptured > 0);
  return { id, given: given.id, held: held?.id ?? "", reference: held?.providerReference ?? "" };
}

it("4a. nothing is waived, nor credited for it, once the provider has captured all", async () => {
  const { id, held, reference } = await partlyCaptured();
  // "Minor units captured so far": a later report has more.
  await settleNow(world, held, charged(reference, 1250));
  expect(await get(id)).toMatchObject({ status: "paid", amount_paid: 1250, amount_refunded: 0, amount_overpaid: 0 });
  expect(await faultOfProof()).toBe(null);
  expect(await creditedOf(id)).toBe(0);
});

it("4b. the proof holds when a late charge waits for the lock behind a partial capture", async () => {
  const { given } = await partlyCaptured();
  // Its transaction began a millisecond before that of the capture, and got the payment request's lock after it.
  const began = runtimeAt(world.runtime, world.clock.now() - 1);
  await inBackground(began, "test.settle", (ctx) => {
    ctx.audit({ target: given });
    return settle(ctx, given, charged(`late_${given}`, 1250));
  });
  expect(await faultOfProof()).toBe(null);
});

it("5. an invoice whose caller wants neither name nor address on it is not taken for erased", async () => {
  const person = { account_id: acme.member.accountId, name: "Grace", tax_id: "DE1" };
  const { customer_id } = await world.call(createCustomer, actor(), person as never);
  const { payment } = await invoice({ customer: { customer_id, name: null } });
  expect((await get(payment.payment_id)).pdf_url).not.toBe(null);
});

it("9. the year in the number of a credit note is not before that of its date and its invoice", async () => {
  const zone = (timezone: string) =>
    world.call(updateAccount, actor(), { account_id: acme.member.accountId, preferences: { timezone } });
  await zone("Pacific/Kiritimati");
  world.clock.advance(Date.parse("2026-12-31T12:00:00Z") - world.clock.now());
  const { payment } = await invoice();
  expect(payment.invoice_number).toBe("2027-0001");
  await zone("Pacific/Honolulu");
  await cancelRequest(world, actor(), payment.payment_id);
  const [note] = await creditNotesOfOne(world.runtime.db.read, payment.payment_id);
  expect(note?.record.issue_date).toBe("2027-01-01");
  expect(note?.record.number).toBe("CN-2027-0001");
});
