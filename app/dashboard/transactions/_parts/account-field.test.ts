// How lists offer to filter by account: a choice where there are several, an id where there are too many to list.
import { expect, it } from "vitest";
import { limits } from "@/server/kit/limits";
import { accountFields } from "./account-field";

const labels = { account: "Account", accountId: "Account ID" };
const options = [
  { value: "acct_1", label: "Corner shop" },
  { value: "acct_2", label: "Bakery" },
];

it("offers a choice of accounts if there are several", () => {
  expect(accountFields(labels, options)).toEqual([{ name: "account_id", label: "Account", kind: "select", options }]);
});

it("offers nothing if there is nothing to choose", () => {
  expect(accountFields(labels, options.slice(0, 1))).toEqual([]);
  expect(accountFields(labels, [])).toEqual([]);
});

it("asks for the id if there are too many accounts", () => {
  const field = { name: "account_id", label: "Account ID", kind: "text", maxLength: limits.id };
  expect(accountFields(labels, null)).toEqual([field]);
});
