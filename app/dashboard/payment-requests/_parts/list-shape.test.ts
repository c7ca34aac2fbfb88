// The tabs of the lists of payment requests and of invoices, and what their exports have.
import { expect, it } from "vitest";
import { type ListShape, readListQuery, sameFilters, tabFilters } from "@/app/_ui/list-query";
import { columnsByDefault } from "@/server/domains/payments/export-columns";
import * as invoices from "../../invoices/_parts/list-shape";
import * as requests from "./list-shape";

it.each([
  ["payment requests", requests],
  ["invoices", invoices],
])("have no column with a secret link, whatever the list of %s shows", (_, { exportColumnsFor, listShape }) => {
  const columns = exportColumnsFor(listShape.columns);
  expect(columns.length).toBeGreaterThan(5);
  expect(columns.filter((name) => !columnsByDefault.includes(name))).toEqual([]);
});

const queryAt = (shape: ListShape, address: string) =>
  readListQuery(shape, Object.fromEntries(new URL(address, "http://x").searchParams));

it.each([
  ["payment requests", requests],
  ["invoices", invoices],
])("tabs of %s replace one another and keep the other filters", (_, { listShape, tabNames }) => {
  let query = queryAt(listShape, `${listShape.path}?q=Ada`);
  for (const name of tabNames) {
    query = queryAt(listShape, requests.tabAddress(query, name));
    expect(query.filters).toEqual({ q: "Ada", ...requests.tabQuery(name) });
    expect(sameFilters(tabFilters(query), requests.tabQuery(name))).toBe(true);
    expect(requests.ofAnyTab(query)).toEqual({ q: "Ada" });
  }
  query = queryAt(listShape, requests.tabAddress(query, null));
  expect(query.filters).toEqual({ q: "Ada" });
});

it("invoices have a tab for what is overdue, and none for reusable links", () => {
  expect(invoices.tabNames).toContain("overdue");
  expect(invoices.tabNames).not.toContain("links");
});
