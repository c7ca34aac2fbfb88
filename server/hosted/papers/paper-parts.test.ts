// The table of lines on a paper: its columns, and how it states taxes.
import { expect, it } from "vitest";
import type { IssuedInvoice } from "@/server/domains/payments/invoices/issued";
import { readerOf } from "../reader";
import { invoicePaper } from "./invoice-paper";

const party = {
  ...{ name: "Bakery", trading_name: null, identifier: null, vat_identifier: null, email: null, address: null },
};
const line = (vat_rate_bp: number) => ({
  ...{ identifier: 1, item_name: "Cake", quantity: 2, item_net_price: 500, allowance_amount: 0, net_amount: 1_000 },
  vat_rate_bp,
});
const tax = (vat_rate_bp: number) => ({ vat_rate_bp, taxable_amount: 1_000, tax_amount: vat_rate_bp / 10 });
const reader = readerOf({ query: new URLSearchParams(), headers: new Headers() });

function tableOf(contents: Pick<IssuedInvoice["record"], "lines" | "taxes">) {
  const record = {
    ...{ number: "1", issue_date: "2026-11-26", due_date: null, installments: [], currency: "EUR" },
    ...{ purchase_order_reference: null, note: null, payment_terms: null, footer: null, seller: party, buyer: null },
    ...{ period_start: null, period_end: null, net_amount: 2_000, tax_amount: 190, gross_amount: 2_190, ...contents },
  };
  const look = { brand_color: null, logo_path: null, livemode: true, locales: [], timezone: null };
  const invoice = { record, has_pdf: true, issued_at: "2026-11-26T12:00:00.000Z", ...look };
  const [table] = invoicePaper(invoice, reader, null).tables;
  return { ...table, shares: table?.columns.map(({ share }) => Number(share.toFixed(3))) };
}

it("states the tax of each rate, without a letter for what is taxed", () => {
  const taxed = (rate: number) => ({ vat_category_code: rate === 0 ? ("Z" as const) : ("S" as const) });
  const { shares, rows, sums } = tableOf({
    lines: [0, 1_900].map((rate) => ({ ...line(rate), ...taxed(rate), unit_code: "C62" })),
    taxes: [0, 1_900].map((rate) => ({ ...tax(rate), ...taxed(rate), vat_exemption_reason: null })),
  });
  expect(shares).toEqual([0.3, 0.11, 0.25, 0.11, 0.23]);
  expect(rows?.map(([, quantity, , rate]) => [quantity, rate])).toEqual([
    ["2", "0%"],
    ["2", "19%"],
  ]);
  expect(sums?.map(({ term }) => term)).toEqual(["Subtotal", "Tax 0% on €10.00", "Tax 19% on €10.00", "Total"]);
});

it("has room for rates with letters and decimals, and for units", () => {
  const exempt = { vat_category_code: "E" as const, unit_code: "HUR" };
  const { shares, rows } = tableOf({
    lines: [{ ...line(0), ...exempt }],
    taxes: [{ ...tax(0), vat_category_code: "E", vat_exemption_reason: "Teaching" }],
  });
  expect(shares).toEqual([0.25, 0.16, 0.25, 0.11, 0.23]);
  expect(rows?.[0]?.[3]).toBe("0% E");
});

it("names the category once, where the reason begins with its name", () => {
  const termOf = (reason: string | null) => {
    const exempt = { vat_category_code: "E" as const, vat_exemption_reason: reason };
    return tableOf({
      lines: [{ ...line(0), vat_category_code: "E", unit_code: "C62" }],
      taxes: [{ ...tax(0), ...exempt }],
    }).sums?.[1]?.term;
  };
  expect(termOf("exempt under Art. 132")).toBe("Tax 0% on €10.00\nexempt under Art. 132 (E)");
  expect(termOf("Teaching")).toBe("Tax 0% on €10.00\nExempt (E)\nTeaching");
  expect(termOf(null)).toBe("Tax 0% on €10.00\nExempt (E)");
});
