// What the preview shows of values that are being typed.
import { describe, expect, it } from "vitest";
import { shownContent, shownInvoice } from "@/server/domains/payments/input-schema";
import { blankLine } from "./line-values";
import { blankValues, type RequestValues } from "./request-values";
import { shownInvoiceOf, shownOf } from "./shown-values";

const account = "acct_01kacz7q4v8n2j5s6t3w9x0y1r";
const typed = (given: Partial<RequestValues>): RequestValues => ({
  ...blankValues("EUR", account),
  ...{ description: "Cake", amount: "12.50", ...given },
});

describe("what the preview shows", () => {
  const shown = (given: Partial<RequestValues>) => shownContent.parse(shownOf(typed(given), "en", Date.now()));

  it("has every typed value that the page shows, and the server accepts it", () => {
    const values = {
      type: "invoice",
      due: "2030-01-01",
      expires: "2030-02-01",
      reference: " A-1 ",
      locale: "de",
    } as const;
    expect(shown({ ...values, capture: "manual" })).toMatchObject({
      ...{ account_id: account, type: "invoice", amount: 1250, currency: "EUR", description: "Cake", reference: "A-1" },
      ...{ capture_method: "manual", locale: "de", line_items: null },
    });
    const terms = { interval: "week", intervalCount: "2" } as const;
    expect(shown({ type: "subscription", ...terms }).subscription).toMatchObject({
      interval: "week",
      interval_count: 2,
    });
  });

  it("leaves out what cannot be read yet, also while a line is being typed", () => {
    expect(shown({ amount: "12x", description: " " })).toMatchObject({ amount: null, description: null });
    expect(shown({ type: "subscription", intervalCount: "" }).subscription).toBeNull();
    const line = { ...blankLine, name: "Bread", price: "4.50" };
    expect(shown({ lines: [line] })).toMatchObject({ amount: null, line_items: [{ name: "Bread", unit_amount: 450 }] });
    expect(shown({ lines: [line, { ...blankLine, name: "Ro" }] }).line_items).toMatchObject([{ name: "Bread" }]);
    const unnamed = [{ name: "Bread" }, { name: "…", unit_amount: 100 }];
    expect(shown({ lines: [line, { ...blankLine, price: "1" }] }).line_items).toMatchObject(unnamed);
    // The amount typed before no longer counts once there are lines.
    expect(shown({ lines: [{ ...blankLine, name: "Bread" }] })).toMatchObject({ amount: null, line_items: null });
  });

  it("ignores a day that there is not, or that has passed, as while its year is typed", () => {
    for (const expires of ["120266-01-01", "0002-02-01", "2020-02-01"]) {
      expect(shown({ expires }).expires_at).toBeNull();
    }
  });
});

describe("what the preview of the invoice shows", () => {
  const shown = (given: Partial<RequestValues>) =>
    shownInvoice.parse(shownInvoiceOf(typed({ type: "invoice", ...given }), "en", Date.now()));

  it("has the customer and the terms, and the server accepts them", () => {
    const terms = { issueDate: "2026-11-20", serviceFrom: "2026-10-01", serviceTo: "2026-10-31", notes: " Thanks " };
    expect(shown({ customer: " Ada ", email: "ada@example.com", purchaseOrder: "PO-1", ...terms })).toMatchObject({
      ...{ account_id: account, type: "invoice", amount: 1250, description: "Cake" },
      customer: { name: "Ada", email: "ada@example.com" },
      invoice: { issue_date: "2026-11-20", service_to: "2026-10-31", purchase_order: "PO-1", notes: "Thanks" },
    });
    const kept = { customer: { email: "ada@example.com", customer_id: "cus_01kacz7q4v8n2j5s6t3w9x0y1r" } };
    expect(shown({ email: "ada@example.com", kept }).customer).toMatchObject(kept.customer);
  });

  it("leaves out what cannot be read yet", () => {
    expect(shown({})).toMatchObject({ customer: null, invoice: null });
    expect(shown({ customer: "Ada", email: "ada@exa" }).customer).toEqual({ name: "Ada", email: null });
    const days = { issueDate: "0002-11-20", serviceFrom: "2026-10-31", serviceTo: "2026-10-01", notes: "x" };
    expect(shown(days).invoice).toEqual({ service_from: "2026-10-31", notes: "x" });
  });
});
