// What the list of transactions says of a transfer without a description.
import { expect, test } from "vitest";
import { betweenAccounts } from "./transaction-columns";

const names = { acct_a: "Bakery", acct_b: "Café" };

test.each([
  ["acct_a", "acct_b", "Bakery → Café"],
  ["acct_a", null, null],
  ["acct_a", "acct_unknown", null],
])("from %s to %s: %j", (account_id, destination_account_id, expected) => {
  expect(betweenAccounts({ account_id, destination_account_id }, names)).toBe(expected);
});
