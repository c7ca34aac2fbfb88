// What creating and saving a customer sends.
import { describe, expect, test } from "vitest";
import type { Customer } from "./customer-path";
import { blankValues, changesOf, contentOf, problemsIn, valuesOf } from "./customer-values";

const customer: Customer = {
  customer_id: "cus_1",
  account_id: "acct_1",
  ...{ name: "Grace", email: "grace@example.com", phone: null, tax_id: null, reference: "C-9", locale: "de" },
  address: { line1: "Graben 1", line2: null, postal_code: null, city: "Vienna", region: null, country: "AT" },
  metadata: { tier: "gold" },
  credit: [],
  ...{ merged_into: null, erased_at: null, created_at: "", updated_at: "" },
};

describe("a save", () => {
  test("sends nothing if nothing but surrounding spaces has changed", () => {
    const before = valuesOf(customer);
    expect(changesOf(before, { ...before, name: " Grace " })).toEqual({});
  });

  test("sends each changed field, and null for an emptied or removed one", () => {
    const before = valuesOf(customer);
    const after = { ...before, name: "Ada", reference: "", city: "Graz", country: " ", metadata: [] };
    expect(changesOf(before, after)).toEqual({
      ...{ name: "Ada", reference: null, metadata: { tier: null } },
      address: { city: "Graz", country: null },
    });
  });
});

test("creating sends what was entered", () => {
  const typed = { ...blankValues("acct_1"), email: " ada@example.com ", country: "at" };
  expect(contentOf(typed)).toEqual({ email: "ada@example.com", address: { country: "at" }, metadata: {} });
});

test("the form reports what the server would refuse", () => {
  const blank = blankValues("acct_1");
  expect(problemsIn.name("", blank)).toBe("nobody");
  expect(problemsIn.name("", { ...blank, reference: "C-1" })).toBeNull();
  expect(problemsIn.email("")).toBeNull();
  expect(problemsIn.email("ada")).toBe("emailWrong");
  expect(problemsIn.country("AT")).toBeNull();
  expect(problemsIn.country("Austria")).toBe("countryWrong");
});
