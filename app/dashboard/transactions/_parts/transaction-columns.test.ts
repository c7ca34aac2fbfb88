// What the list of transactions says of who paid or was paid.
import { expect, test } from "vitest";
import { betweenAccounts, linesOf } from "./transaction-columns";

const names = { acct_a: "Bakery", acct_b: "Café" };

test.each([
  ["acct_a", "acct_b", "Bakery → Café"],
  ["acct_a", null, null],
  ["acct_a", "acct_unknown", null],
])("from %s to %s: %j", (account_id, destination_account_id, expected) => {
  expect(betweenAccounts({ account_id, destination_account_id }, names)).toBe(expected);
});

const grace = { customer_id: null, name: "Grace Hopper", email: "grace@example.com", reference: null, metadata: {} };
const row = { customer: grace, description: "Two cakes", reference: "A-1", account_id: "acct_a" };
const transfer = { account_id: "acct_a", destination_account_id: "acct_b" };
const unnamed = { ...row, customer: null };

test.each([
  ["the customer and the description", {}, "Grace Hopper", "Two cakes"],
  [
    "the address of a customer without a name",
    { customer: { ...grace, name: null } },
    "grace@example.com",
    "Two cakes",
  ],
  ["the customer alone", { description: null }, "Grace Hopper", null],
  ["the description where nobody is named", unnamed, "Two cakes", null],
  ["the reference without a description", { ...unnamed, description: null }, "A-1", null],
  ["both accounts", { ...unnamed, ...transfer, description: null, reference: null }, "Bakery → Café", null],
  ["nothing", { ...unnamed, description: null, reference: null }, null, null],
])("shows %s", (_, given, who, what) => {
  expect(linesOf({ ...row, destination_account_id: null, ...given }, names)).toEqual([who, what]);
});
