// The preview of an invoice says that it is a draft, and has nothing to press, to follow or to run.
import { expect, it } from "vitest";
import type { IssuedInvoice } from "@/server/domains/payments/invoices/issued";
import { invoiceDocument, invoicePreview } from "./invoice-document";
import { readerOf } from "./reader";

const party = {
  name: "Ada & Co",
  trading_name: null,
  identifier: null,
  vat_identifier: null,
  email: null,
  address: null,
};
const line = {
  identifier: 1,
  item_name: "<b>Tea</b>",
  quantity: 1,
  item_net_price: 999_999_999_999,
  allowance_amount: 0,
  vat_category_code: null,
  unit_code: "C62",
};
const invoice: IssuedInvoice = {
  record: {
    ...{ number: "", issue_date: "2026-11-26", due_date: "2026-12-10", installments: [], currency: "KWD" },
    ...{ purchase_order_reference: null, note: "Thanks", payment_terms: null, footer: null },
    ...{ seller: party, buyer: null, period_start: null, period_end: null },
    lines: [{ ...line, net_amount: 999_999_999_999, vat_rate_bp: null }],
    taxes: [
      {
        vat_rate_bp: null,
        vat_category_code: null,
        vat_exemption_reason: null,
        taxable_amount: 999_999_999_999,
        tax_amount: 0,
      },
    ],
    ...{ net_amount: 999_999_999_999, tax_amount: 0, gross_amount: 999_999_999_999 },
  },
  ...{ has_pdf: true, issued_at: "2026-11-26T12:00:00.000Z", brand_color: null, logo_path: null },
  ...{ livemode: true, locales: [], timezone: null },
};
const reader = (language: string) =>
  readerOf({ query: new URLSearchParams(), headers: new Headers({ "accept-language": language }) });

it.each([
  ["en", "Draft invoice", "becomes final"],
  ["de", "Entwurf einer Rechnung", "endgültig"],
])("is a draft in %s", (language, heading, meaning) => {
  const { text, scriptSource } = invoicePreview(invoice, reader(language));
  expect(text).toContain(`<h1>${heading}</h1>`);
  expect(text).toContain(meaning);
  expect(text).toContain("Thanks");
  expect(text).toContain("&lt;b&gt;Tea&lt;/b&gt;");
  expect(scriptSource).toBeNull();
  expect(text).not.toMatch(/<script|<button|class="button/);
});

it("is otherwise the page of the invoice", () => {
  const page = invoiceDocument({ ...invoice, record: { ...invoice.record, number: "7" } }, reader("en"), "/pay/x").text;
  expect(page).toContain("<h1>Invoice 7</h1>");
  expect(page).toMatch(/<script/);
  expect(page).not.toContain("Draft invoice");
});
