// A refusal of the server's own schemas leads to the filters of the address that it is about.
import { expect, test } from "vitest";
import { transactionQuery } from "@/server/domains/transactions/schema";
import { describeIssues } from "@/server/kit/issues";
import { queryFieldsOf } from "@/server/kit/query-fields";
import { readQuery } from "@/server/kit/query-input";
import { filterQuery } from "./list-query";
import { unusableFilters } from "./unusable-filters";

/** The list operation's refusal of these filters. */
function refusalOf(filters: Record<string, string>): { code: string; text: string } {
  try {
    const parsed = transactionQuery.safeParse(readQuery(filterQuery(filters), queryFieldsOf(transactionQuery)));
    return { code: "invalid_request", text: describeIssues(parsed.error?.issues ?? []) };
  } catch (error) {
    return { code: "invalid_request", text: (error as Error).message };
  }
}

test.each([
  [{ amount_min: "abc" }, ["amount_min"]],
  [{ status: "nonsense" }, ["status"]],
  [{ status: "pending,nonsense" }, ["status"]],
  [{ created_from: "x", created_to: "y" }, ["created_from", "created_to"]],
  [{ currency: "EUR", amount_max: "-1", q: "cake" }, ["amount_max"]],
  [{ currency: "XXQ" }, ["currency"]],
  [{ q: "\u0000" }, ["q"]],
  [{ metadata: "7" }, ["metadata"]],
  [{ "metadata[order]": "7", "metadata[note]": "x".repeat(5000) }, ["metadata[note]"]],
  [{ "metadata[order]": "7", "metadata[note]": "\u0000" }, ["metadata[note]"]],
])("%j", (filters, unusable) => {
  expect(unusableFilters(filters as unknown as Record<string, string>, refusalOf(filters as never))).toEqual(unusable);
});

test("a record that does not exist is refused by its filter", () => {
  const filters = { account_id: "acct_x", status: "pending" };
  expect(unusableFilters(filters, { code: "account_not_found", text: "No such account." })).toEqual(["account_id"]);
});

test("a refusal that names no filter matches none", () => {
  const text = "The query is too long.";
  expect(unusableFilters({ q: "cake" }, { code: "invalid_request", text })).toEqual([]);
});
