// The invoice as a PDF file: its headers and content, and when there is none.
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { idempotencyKeys, mails } from "@/db/tables";
import { updateAccount } from "@/server/domains/accounts/operations/update";
import { eraseCustomer } from "@/server/domains/closing/operations/erase-customer";
import { createPayment } from "@/server/domains/payments/operations/create";
import { finalizePayment } from "@/server/domains/payments/operations/finalize";
import { getPayment } from "@/server/domains/payments/operations/get";
import { readIssuedInvoice } from "@/server/domains/payments/operations/invoice";
import { updatePaymentRequest } from "@/server/domains/payments/operations/update";
import { openPayPages, type PayPages } from "@/test/pay-page";
import { pdfIn, textOfPdf } from "@/test/pdf";

let pages: PayPages;
beforeAll(async () => {
  pages = await openPayPages();
});
beforeEach(() => pages.world.clock.advance(1000));
afterAll(() => pages.world.close());

const invoiceOf = async (more: object = {}) => {
  const input = { type: "invoice", amount: 1_250, currency: "EUR", ...more };
  const payment = await pages.world.call(createPayment, pages.acme.member.actor, input as never);
  return { payment, token: payment.payment_url?.split("/pay/")[1] ?? "" };
};

const pdfOf = async (token: string, query = "") => pdfIn(await pages.invoice(token, query));

const lines = [
  { name: "Cake", quantity: 3, unit_amount: 1_000, tax_rate_bp: 1_900, discount_amount: 500 },
  { name: "Bread", quantity: 1, unit_amount: 333, tax_rate_bp: 700 },
];

describe("the file", () => {
  it("says what was frozen, in the reader's language", async () => {
    const address = { line1: "Graben 1", postal_code: "1010", city: "Vienna", country: "AT" };
    const invoice = { legal_name: "Bakery GmbH", address, tax_id: "ATU1", number_prefix: "INV-", footer: "IBAN 1" };
    const account_id = pages.acme.member.accountId;
    await pages.world.call(updateAccount, pages.acme.member.actor, { account_id, preferences: { invoice } } as never);
    const { payment, token } = await invoiceOf({
      ...{
        amount: undefined,
        line_items: lines,
        due_at: "2026-12-01",
        customer: { name: "Grace", email: "grace.pdf@example.com" },
      },
      invoice: { service_from: "2026-10-01", service_to: "2026-10-31", purchase_order: "PO-7", terms: "14 days net" },
    });
    expect(payment.pdf_url).toBe(`${payment.payment_url}/invoice.pdf`);
    const text = await textOfPdf(await pdfOf(token));
    for (const part of [
      ...["TEST", `Invoice ${payment.invoice_number}`, "Bakery GmbH", "Graben 1", "1010 Vienna", "Austria", "ATU1"],
      ...["Grace", "PO-7", "November 20, 2026", "Due December 1, 2026", "October 1, 2026 – October 31, 2026"],
      ...["Cake", "Discount −€5.00", "19%", "Subtotal €28.33", "Tax 7% on €3.33 €0.23", "Tax 19% on €25.00 €4.75"],
      ...["Total €33.31", "14 days net", "IBAN 1"],
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain("grace.pdf@example.com");
    expect(await textOfPdf(await pdfOf(token, "?lang=de"))).toContain("Rechnungsdatum");
    const page = await (await pages.get(token)).text();
    expect(page).toContain(`href="/pay/${token}/invoice.pdf">Invoice ${payment.invoice_number} as PDF</a>`);
  });

  it("is the same file whatever happens later, saved under its number", async () => {
    const { payment, token } = await invoiceOf({ customer: { name: "Grace" } });
    const first = Buffer.from(await pdfOf(token));
    pages.world.clock.advance(86_400_000);
    const change = { payment_id: payment.payment_id, description: "Other" };
    await pages.world.call(updatePaymentRequest, pages.acme.member.actor, change as never);
    await pages.pay(token);
    expect(first.equals(await pdfOf(token))).toBe(true);
    const { headers } = await pages.invoice(token);
    const name = `invoice-${payment.invoice_number?.replaceAll("/", "-")}.pdf`;
    expect(headers.get("content-disposition")).toBe(`attachment; filename="${name}"`);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-robots-tag")).toContain("noindex");
  });

  it("writes the code of a currency whose sign the fonts lack", async () => {
    const { payment, token } = await invoiceOf({ currency: "KHR" });
    expect(payment.pdf_url).not.toBeNull();
    expect(await textOfPdf(await pdfOf(token, "?lang=km"))).toContain("KHR");
  });

  it("has an address that no stored answer contains, and a repeated call gets", async () => {
    const input = { type: "invoice", amount: 1_250, currency: "EUR" };
    const again = () =>
      pages.world.call(createPayment, pages.acme.member.actor, input as never, { idempotencyKey: "invoice-1" });
    const first = await again();
    const token = first.payment_url?.split("/pay/")[1] ?? "";
    const stored = await pages.world.runtime.db.read.select().from(idempotencyKeys);
    expect(JSON.stringify(stored)).toContain(first.payment_id);
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(await again()).toEqual(first);
  });

  it("is linked in the mail that asks to pay it, and in no other", async () => {
    const mailOf = async (more: object) => {
      const customer = { email: "grace@example.com" };
      const { payment } = await invoiceOf({ ...more, customer, send: true });
      const rows = await pages.world.runtime.db.read
        .select()
        .from(mails)
        .where(eq(mails.paymentId, payment.payment_id));
      return rows[0];
    };
    const mail = await mailOf({});
    expect(mail?.text).toContain(`https://link.invalid/${mail?.id}/invoice.pdf`);
    expect(mail?.html).toContain(`href="https://link.invalid/${mail?.id}/invoice.pdf"`);
    expect((await mailOf({ type: "product" }))?.text).not.toContain("invoice.pdf");
    expect((await mailOf({ description: "🎂" }))?.text).not.toContain("invoice.pdf");
  });

  it("does not exist for what is no invoice, nor for an unknown link", async () => {
    const { payment, token } = await invoiceOf({ type: "product" });
    expect(payment).toMatchObject({ pdf_url: null, pdf_problem: null });
    expect((await pages.invoice(token)).status).toBe(404);
    expect((await pages.invoice("unknown")).status).toBe(404);
  });
});

describe("a character without a glyph", () => {
  it("refuses nothing, and is named before and after it became final", async () => {
    const { payment: draft } = await invoiceOf({ draft: true, description: "Cake 🎂" });
    expect(draft).toMatchObject({ pdf_url: null, pdf_problem: "🎂" });
    const patch = (changes: object) =>
      pages.world.call(updatePaymentRequest, pages.acme.member.actor, {
        payment_id: draft.payment_id,
        ...changes,
      } as never);
    expect((await patch({ description: "Cake" })).pdf_problem).toBeNull();
    expect((await patch({ customer: { name: "山田" } })).pdf_problem).toBe("山");
    const { payment_id } = draft;
    const final = await pages.world.call(finalizePayment, pages.acme.member.actor, { payment_id });
    expect(final).toMatchObject({ pdf_url: null, pdf_problem: "山" });
    expect(final.invoice_number).not.toBeNull();
    const token = final.payment_url?.split("/pay/")[1] ?? "";
    expect((await pages.invoice(token)).status).toBe(404);
    expect(await (await pages.get(token)).text()).not.toContain("invoice.pdf");
    expect(await (await pages.get(token)).text()).toContain(`href="/pay/${token}/invoice"`);
    const page = await pages.invoicePage(token);
    expect(page.status).toBe(200);
    const text = await page.text();
    for (const part of ["山田", final.invoice_number ?? "", "Cake"]) expect(text).toContain(part);
    expect(text).not.toContain("invoice.pdf");
  });
});

describe("an invoice whose customer was erased", () => {
  it("is no longer shown to everyone with the link, but to those who may see the payment request", async () => {
    const { member } = pages.acme;
    const { payment, token } = await invoiceOf({ customer: { name: "Grace", email: "erased@example.com" } });
    const { payment_id, invoice_number: number } = payment;
    await pages.pay(token);
    const customer_id = payment.customer?.customer_id ?? "";
    const { kept } = await pages.world.call(eraseCustomer, member.actor, { customer_id });
    expect(kept).toContain(number);
    expect((await pages.invoice(token)).status).toBe(404);
    expect((await pages.invoicePage(token)).status).toBe(404);
    expect(await (await pages.get(token)).text()).not.toContain(number);
    const after = await pages.world.call(getPayment, member.actor, { payment_id });
    expect(after).toMatchObject({ invoice_number: number, pdf_url: null });
    const { record } = await pages.world.call(readIssuedInvoice, member.actor, { payment_id });
    expect(record.buyer?.name).toBe("Grace");
  });
});

describe("the page", () => {
  it("says what the file says, and leads to it", async () => {
    const installments = [
      { amount: 1_000, due_at: "2026-12-01" },
      { amount: 250, due_at: "2027-01-01" },
    ];
    const { payment, token } = await invoiceOf({ description: "Catering", installments });
    const text = (await (await pages.invoicePage(token)).text()).replaceAll(/[\u00a0\u202f]/g, " ");
    const link = `href="/pay/${token}/invoice.pdf"`;
    for (const part of [payment.invoice_number ?? "", "Catering", "€12.50", "December 1, 2026", "€10.00", link])
      expect(text).toContain(part);
    expect(await textOfPdf(await pdfOf(token))).toContain("January 1, 2027");
    expect(await (await pages.invoicePage(token, "?lang=ar")).text()).toContain('dir="rtl"');
  });
});
