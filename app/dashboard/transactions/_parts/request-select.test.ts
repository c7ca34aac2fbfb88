// What the picker of a payment request shows of the one that is chosen.
import { expect, it } from "vitest";
import { labelOf } from "./request-select";

const cake = {
  ...{ payment_id: "pay_1", description: "Wedding cake", invoice_number: "2026-0007", reference: "ORD-1" },
  customer: { customer_id: null, name: "Ada", email: null, reference: null, metadata: {} },
  ...{ amount_due: 4000, currency: "EUR" },
};

it("names the invoice number, or else the reference, with the customer and what is due", () => {
  expect(labelOf(cake, "en")).toBe("2026-0007 · Ada · €40.00 · Wedding cake");
  expect(labelOf({ ...cake, invoice_number: null }, "en")).toBe("ORD-1 · Ada · €40.00 · Wedding cake");
});

it("names the description, or else the ID, of one without a number", () => {
  const plain = { ...cake, invoice_number: null, reference: null, customer: null };
  expect(labelOf(plain, "en")).toBe("€40.00 · Wedding cake");
  expect(labelOf({ ...plain, description: null }, "en")).toBe("pay_1 · €40.00");
});
