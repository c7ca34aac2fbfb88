// What the form says about an invoice, and how a saved one fills it.
import { expect, test } from "vitest";
import { blankInvoice, endsTooEarly, invoiceOf, savedInvoice } from "./invoice-values";

const typed = { ...blankInvoice, issueDate: "2026-11-20", purchaseOrder: " PO-1 ", notes: " " };

test("only what is typed is sent, and only for invoices", () => {
  expect(invoiceOf({ ...typed, type: "invoice" })).toEqual({ issue_date: "2026-11-20", purchase_order: "PO-1" });
  expect(invoiceOf({ ...typed, type: "product" })).toBeUndefined();
  expect(invoiceOf({ ...blankInvoice, type: "invoice" })).toBeUndefined();
});

test("a saved invoice fills the form with what it says", () => {
  const saved = {
    ...{ issue_date: "2026-11-20", service_from: "2026-10-01", service_to: "2026-10-31" },
    ...{ purchase_order: null, notes: "Hi", terms: "Net" },
  };
  expect(invoiceOf({ ...savedInvoice(saved), type: "invoice" })).toEqual({
    ...{ issue_date: "2026-11-20", service_from: "2026-10-01", service_to: "2026-10-31", notes: "Hi", terms: "Net" },
  });
  expect(savedInvoice(null)).toEqual(blankInvoice);
});

test("a service does not end before it begins", () => {
  expect(endsTooEarly({ ...typed, serviceFrom: "2026-11-02", serviceTo: "2026-11-01" })).toBe(true);
  expect(endsTooEarly({ ...typed, serviceFrom: "2026-11-01", serviceTo: "2026-11-01" })).toBe(false);
  expect(endsTooEarly({ ...typed, serviceTo: "2026-11-01" })).toBe(false);
});
