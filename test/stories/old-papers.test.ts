// Invoices and credit notes to erased customers are kept for as many years as the organization has chosen, and no longer.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { InvoiceRecord } from "@/db/schema/invoice-values";
import { creditNotes, invoices, jobs } from "@/db/tables";
import { createCustomer } from "@/server/domains/customers/operations/create";
import { updateOrganizationSettings } from "@/server/domains/onboarding/operations/organization-settings";
import { createPayment } from "@/server/domains/payments/operations/create";
import { readIssuedInvoice } from "@/server/domains/payments/operations/invoice";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { moveSandboxClock } from "@/server/domains/sandbox/operations/move-clock";
import { dayMs } from "@/server/kit/limits";
import { eraseCustomerOf } from "@/test/closing";
import { expectSoundLedger } from "@/test/money";
import { payWith, tokenOf } from "@/test/payer";
import { moveClock } from "@/test/sandbox-clock";
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

let keys = 0;
const keyed = () => ({ idempotencyKey: `key-${keys++}` });
const admin = () => org.admin.actor;

/** An invoice of 500 to Grace, which is paid, and of which 200 is refunded. */
async function invoiced() {
  const name = 'Grace "Löw\\e" \u{1f98a}';
  const { customer_id } = await world.call(createCustomer, admin(), { name, email: "grace@example.com" }, keyed());
  const given = {
    ...{ type: "invoice" as const, currency: "EUR", customer: { customer_id }, invoice: { notes: "For Grace" } },
    line_items: [{ name: "Grace's cake", quantity: 1, unit_amount: 500, tax_rate_bp: 700 }],
    amount: 535,
  };
  const { payment_id, payment_url, invoice_number } = await world.call(createPayment, admin(), given, keyed());
  await payWith(world, tokenOf(payment_url));
  return { customer_id, payment_id, number: invoice_number };
}

const refund = (payment_id: string, amount: number) =>
  world.call(refundPayment, admin(), { payment_id, amount }, keyed());

async function papersOf(payment_id: string) {
  const { read } = world.runtime.db;
  const [invoice] = await read.select().from(invoices).where(eq(invoices.paymentId, payment_id));
  const notes = await read.select().from(creditNotes).where(eq(creditNotes.paymentId, payment_id));
  return [invoice, ...notes];
}

const choose = (years: number) =>
  world.call(updateOrganizationSettings, admin(), { invoice_retention_years: years }, keyed());

const jobsLeft = () => world.runtime.db.read.$count(jobs, eq(jobs.kind, "customers.erase_papers"));

it("are erased once the years are over, except for what the books need", async () => {
  await choose(2);
  const { customer_id, payment_id, number } = await invoiced();
  await refund(payment_id, 200);
  const before = await papersOf(payment_id);
  expect((await eraseCustomerOf(world, admin(), customer_id)).kept).toHaveLength(2);
  const year = new Date(world.clock.now()).getUTCFullYear();
  const to = (day: string) => world.call(moveSandboxClock, admin(), { set: `${day}T00:00:00Z` });
  for (let passed = 1; passed <= 2; passed++) await to(`${year + passed}-06-01`);
  await to(`${year + 3}-01-01`);
  expect(await papersOf(payment_id)).toEqual(before);
  await to(`${year + 3}-01-03`);
  const after = await papersOf(payment_id);
  expect(JSON.stringify(after)).not.toMatch(/grace|Löw/i);
  for (const [i, paper] of after.entries()) {
    expect(paper?.erasedAt).not.toBeNull();
    const { number: own, issue_date, taxes, net_amount, tax_amount, gross_amount, seller } = before[i]?.record ?? {};
    expect(paper?.record).toMatchObject({
      number: own,
      issue_date,
      taxes,
      net_amount,
      tax_amount,
      gross_amount,
      seller,
    });
  }
  expect(after[0]?.record.number).toBe(number);
  expect((await eraseCustomerOf(world, admin(), customer_id)).kept).toEqual([]);
  expect(await refusalOf(world.call(readIssuedInvoice, admin(), { payment_id }))).toBe("payment_not_found");
  expect(await jobsLeft()).toBe(0);
});

it("are kept for ten years unless the organization has chosen, and a customer who was not erased keeps all", async () => {
  const erased = await invoiced();
  const other = await invoiced();
  await eraseCustomerOf(world, admin(), erased.customer_id);
  for (let year = 0; year < 10; year++) await moveClock(world, admin(), "P1Y");
  expect((await papersOf(erased.payment_id))[0]?.erasedAt).toBeNull();
  await moveClock(world, admin(), "P1Y");
  expect((await papersOf(erased.payment_id))[0]?.erasedAt).not.toBeNull();
  expect((await papersOf(other.payment_id))[0]?.erasedAt).toBeNull();
});

it("are corrected by a credit note even after they were erased", async () => {
  await choose(1);
  const { customer_id, payment_id } = await invoiced();
  await eraseCustomerOf(world, admin(), customer_id);
  for (let year = 0; year < 3; year++) await moveClock(world, admin(), "P1Y");
  await refund(payment_id, 535);
  const [invoice, note] = await papersOf(payment_id);
  expect(invoice?.record.lines).toEqual([]);
  expect(note?.record).toMatchObject({ buyer: null, gross_amount: 535, lines: [{ item_name: null, net_amount: 500 }] });
  expect((await eraseCustomerOf(world, admin(), customer_id)).kept).toEqual([]);
  expect(await jobsLeft()).toBe(0);
});

it("are kept if a credit note was made while its invoice still named the customer, until that is old, too", async () => {
  await choose(2);
  const { customer_id, payment_id } = await invoiced();
  await eraseCustomerOf(world, admin(), customer_id);
  for (let year = 0; year < 2; year++) await moveClock(world, admin(), "P1Y");
  await refund(payment_id, 535);
  await moveClock(world, admin(), "P1Y");
  const [invoice, note] = await papersOf(payment_id);
  expect([invoice?.erasedAt, note?.erasedAt]).toEqual([expect.any(Number), null]);
  expect((await eraseCustomerOf(world, admin(), customer_id)).kept).toEqual([note?.record.number]);
  for (let year = 0; year < 2; year++) await moveClock(world, admin(), "P1Y");
  expect((await papersOf(payment_id))[1]?.record.buyer).toBeNull();
  expect((await eraseCustomerOf(world, admin(), customer_id)).kept).toEqual([]);
});

it("are erased at once if the years were over before the customer was erased", async () => {
  await choose(1);
  const { customer_id, payment_id } = await invoiced();
  for (let year = 0; year < 3; year++) await moveClock(world, admin(), "P1Y");
  await eraseCustomerOf(world, admin(), customer_id);
  await moveClock(world, admin(), "PT1M");
  expect((await papersOf(payment_id))[0]?.erasedAt).not.toBeNull();
});

it.each([
  ["of a customer who was not erased", false],
  ["before the years were over", true],
])("are not erased without being noticed by the proof: %s", async (_, isErased) => {
  const own = await openWorld();
  const before = [world, org] as const;
  [world, org] = [own, await own.organization()];
  const { customer_id, payment_id } = await invoiced();
  if (isErased) await eraseCustomerOf(own, admin(), customer_id);
  const [paper] = await papersOf(payment_id);
  const record = {
    ...paper?.record,
    buyer: null,
    note: null,
    purchase_order_reference: null,
    payment_terms: null,
    lines: [],
  };
  const erasedAt = isErased ? own.clock.now() : own.clock.now() + 20 * 365 * dayMs;
  await own.runtime.db.write(async (tx) => {
    await tx
      .update(invoices)
      .set({ record: record as InvoiceRecord, erasedAt })
      .where(eq(invoices.paymentId, payment_id));
  });
  await expect(expectSoundLedger(own)).rejects.toThrow("An invoice and its payment request do not agree.");
  await own.close();
  [world, org] = before;
});

it.each([0, 31])("are not kept for %i years", async (years) => {
  expect(await refusalOf(choose(years))).toBe("invalid_request");
});
