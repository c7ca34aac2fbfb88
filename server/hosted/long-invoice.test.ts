// An invoice of as many lines as there may be, with amounts of twelve digits: its amounts, its pages and its file.
import { afterAll, beforeAll, expect, it } from "vitest";
import { getPayment } from "@/server/domains/payments/operations/get";
import { readIssuedInvoice } from "@/server/domains/payments/operations/invoice";
import { refundPayment } from "@/server/domains/payments/operations/refund";
import { limits } from "@/server/kit/limits";
import { askHosted } from "@/test/hosted";
import { expectSoundLedger } from "@/test/money";
import { ask, payWith } from "@/test/payer";
import { textOfPdf } from "@/test/pdf";
import { openWorld, type World } from "@/test/world";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  await expectSoundLedger(world);
  await world.close();
});

const rates = [1900, 700, null] as const;
const netOf = (at: number): number => 8_000_000_000 + at * 7;
/** The tax of each line is rounded half up. */
const taxOf = (at: number, rate: number): number => Number((BigInt(netOf(at)) * BigInt(rate) + 5_000n) / 10_000n);

const linesNamed = (name: string) =>
  Array.from({ length: limits.lineItems }, (_, at) => ({
    name: `${name} ${at + 1}`,
    quantity: 1,
    unit_amount: limits.amount,
    discount_amount: limits.amount - netOf(at),
    tax_rate_bp: rates[at % rates.length] ?? null,
  }));

/** What the lines add up to, by rate. */
const taxes = rates.map((rate, first) => {
  const own = Array.from({ length: limits.lineItems }, (_, at) => at).filter((at) => at % rates.length === first);
  return {
    vat_rate_bp: rate,
    vat_category_code: rate === null ? null : "S",
    vat_exemption_reason: null,
    taxable_amount: own.reduce((sum, at) => sum + netOf(at), 0),
    tax_amount: own.reduce((sum, at) => sum + taxOf(at, rate ?? 0), 0),
  };
});
const sumOf = (name: "taxable_amount" | "tax_amount") => taxes.reduce((sum, tax) => sum + tax[name], 0);
const gross = sumOf("taxable_amount") + sumOf("tax_amount");

const pathOf = (url: string | null): string => new URL(url ?? "").pathname;
const issuedBy = async () => (await world.organization()).member.actor;

it.each([
  ["EUR", "€9,999,999,999.99"],
  ["JPY", "¥999,999,999,999"],
  ["KWD", "KWD 999,999,999.999"],
])("in %s adds up, and has a file of at most 60 KB", async (currency, unit) => {
  const actor = await issuedBy();
  const fields = { type: "invoice", currency, line_items: linesNamed("Turbine"), amount: gross } as const;
  const { payment, token } = await ask(world, actor, fields);
  const { payment_id } = payment;
  expect(String(gross)).toHaveLength(12);
  expect(payment).toMatchObject({ amount: gross, amount_due: gross, pdf_problem: null });
  const { record } = await world.call(readIssuedInvoice, actor, { payment_id });
  expect(record.lines).toHaveLength(limits.lineItems);
  expect(record.lines.map(({ net_amount }) => net_amount)).toEqual(record.lines.map((_, at) => netOf(at)));
  expect(record).toMatchObject({
    ...{ net_amount: sumOf("taxable_amount"), tax_amount: sumOf("tax_amount"), gross_amount: gross },
  });
  expect(new Set(record.taxes)).toEqual(new Set(taxes));
  const file = await askHosted(world, "GET", pathOf(payment.pdf_url));
  expect(file?.status).toBe(200);
  const bytes = file?.bytes ?? new Uint8Array();
  expect(bytes.length).toBeLessThan(60_000);
  expect(await textOfPdf(bytes)).toContain(unit);
  await payWith(world, token);
  await world.call(refundPayment, actor, { payment_id });
  const after = await world.call(getPayment, actor, { payment_id });
  expect(after).toMatchObject({ amount_paid: gross, amount_refunded: gross, credit_notes: [{ amount: gross }] });
  expect((await askHosted(world, "GET", pathOf(after.credit_notes[0]?.pdf_url ?? null)))?.status).toBe(200);
});

it("with emoji in its lines has pages, and names the character that its file would lack", async () => {
  const actor = await issuedBy();
  const fields = { type: "invoice", line_items: linesNamed("Cake 🎂"), amount: gross } as const;
  const { payment, token } = await ask(world, actor, fields);
  expect(payment).toMatchObject({ invoice_number: expect.any(String), pdf_url: null, pdf_problem: "🎂" });
  const page = await askHosted(world, "GET", `/pay/${token}/invoice`);
  expect(page?.status).toBe(200);
  expect(String(page?.body)).toContain("Cake 🎂 100");
});
