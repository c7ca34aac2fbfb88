// Who has paid, as the form that records a payment shows it.
import { expect, it } from "vitest";
import { hintOf, isPaidBy } from "./payer";

const lise = { customer_id: "cus_1", name: "Lise Meitner", email: "lise@example.com" };
const typed = { customer: "Lise Meitner", email: "lise@example.com" };

it("another name or e-mail address is another customer's", () => {
  expect(isPaidBy(lise, typed)).toBe(true);
  expect(isPaidBy(lise, { ...typed, customer: "Bob Builder" })).toBe(false);
  expect(isPaidBy(lise, { ...typed, email: "bob@example.com" })).toBe(false);
  expect(isPaidBy({ ...lise, name: null, email: null }, { customer: " ", email: "" })).toBe(true);
});

it("a customer who was chosen is known, and others are new", () => {
  expect(hintOf(lise, null, typed)).toBe("known");
  expect(hintOf(null, null, typed)).toBe("new");
  expect(hintOf(null, null, { customer: "", email: "" })).toBe("choose");
});

it("what is entered for a payment request names its customer, or is only noted", () => {
  expect(hintOf(lise, { customer: { ...lise, reference: null, metadata: {} } }, typed)).toBe("ofRequest");
  const other = { ...lise, name: "Bob Builder", reference: null, metadata: {} };
  expect(hintOf(lise, { customer: other }, typed)).toBe("noted");
  expect(hintOf(null, { customer: null }, { customer: "", email: "" })).toBe("noted");
});
