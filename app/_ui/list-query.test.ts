// The address of a list is its only state: what is read from it leads back to it.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { transactionQuery } from "@/server/domains/transactions/schema";
import { limits } from "@/server/kit/limits";
import { queryFieldsOf } from "@/server/kit/query-fields";
import { readQuery } from "@/server/kit/query-input";
import {
  addedFilters,
  apiQuery,
  asChosen,
  exportQuery,
  firstPage,
  hasFixedDates,
  inOneCurrency,
  isFiltered,
  type ListShape,
  listAddress,
  newerPage,
  olderPage,
  readListQuery,
  sameFilters,
  tabFilters,
  withoutFilter,
} from "./list-query";

const shape: ListShape = {
  path: "/dashboard/transactions",
  filters: ["status", "type", "q", "created_from", "metadata"],
  columns: ["created", "type", "status", "id", "amount"],
  defaults: ["created", "status", "amount"],
};

const search = (address: string) => {
  const entries: Record<string, string | string[]> = {};
  for (const [name, value] of new URL(address, "http://x").searchParams) {
    const before = entries[name];
    entries[name] = before === undefined ? value : [before, value].flat();
  }
  return entries;
};
const read = (address: string) => readListQuery(shape, search(address));

describe("reading", () => {
  test("an address without a query is the first page with the default columns", () => {
    expect(read("/x")).toEqual({
      shape,
      filters: {},
      limit: 20,
      columns: ["created", "status", "amount"],
      ...firstPage,
      highlight: null,
    });
  });

  test("filters have the API's names, metadata by key", () => {
    const { filters } = read("/x?status=succeeded,failed&metadata[order]=7&q=cake");
    expect(filters).toEqual({ status: "succeeded,failed", "metadata[order]": "7", q: "cake" });
  });

  test("unknown and empty parameters are ignored", () => {
    const query = read("/x?status=&owner=ada&other[key]=1&__proto__=x&limit=7&columns=nonsense");
    expect(query).toEqual(read("/x"));
    expect(isFiltered(query)).toBe(false);
  });

  test("a repeated parameter becomes a comma-separated list", () => {
    expect(read("/x?status=failed&status=&status=pending").filters).toEqual({ status: "failed,pending" });
  });

  test("columns are in the list's order", () => {
    expect(read("/x?columns=amount,id").columns).toEqual(["id", "amount"]);
  });
});

describe("writing", () => {
  test("defaults are left out", () => {
    expect(listAddress(read("/x?limit=20&columns=created,status,amount&owner=ada"))).toBe("/dashboard/transactions");
  });

  test("an address stays readable", () => {
    const address = "/dashboard/transactions?status=failed,pending&metadata[order]=7&created_from=2026-11-01T00:00:00Z";
    expect(listAddress(read(address))).toBe(address);
  });

  test("changing filters or page size drops the cursor, changing columns keeps it", () => {
    const query = read("/x?status=failed&cursor=abc");
    expect(listAddress(query, { columns: ["id"] })).toBe("/dashboard/transactions?status=failed&columns=id&cursor=abc");
    expect(listAddress(query, { limit: 50 })).toBe("/dashboard/transactions?status=failed&limit=50");
    expect(listAddress(query, { filters: {} })).toBe("/dashboard/transactions");
    expect(listAddress(query, { cursor: null })).toBe("/dashboard/transactions?status=failed");
  });

  test("the highlighted row is not carried to other pages of the list", () => {
    expect(listAddress(read("/x?highlight=txn_1&status=failed"))).toBe("/dashboard/transactions?status=failed");
  });

  test("removing one filter keeps the others", () => {
    expect(withoutFilter({ currency: "EUR", amount_min: "1", q: "a" }, "currency")).toEqual({ q: "a" });
    expect(withoutFilter({ currency: "EUR", amount_min: "1" }, "amount_min")).toEqual({ currency: "EUR" });
    expect(withoutFilter({ "metadata[a]": "1", "metadata[b]": "2" }, "metadata[a]")).toEqual({ "metadata[b]": "2" });
  });

  test("the export has all pages and the visible columns", () => {
    const query = read("/x?status=failed&cursor=abc&limit=50&columns=id,amount");
    expect(exportQuery(query, "de-AT")).toBe("status=failed&columns=id,amount&spreadsheet_locale=de-AT");
  });
});

describe("paging", () => {
  const older = (query: ReturnType<typeof read>, rows: number, cursor: string) =>
    read(listAddress(query, olderPage(query, rows, cursor)));
  const newer = (query: ReturnType<typeof read>) => read(listAddress(query, newerPage(query) ?? { cursor: "none" }));

  test("each page leads back over the pages before it, with the numbers of their rows", () => {
    const first = read("/x?status=failed");
    const second = older(first, 20, "two");
    // A page may be shorter than its size.
    const third = older(second, 7, "three");
    expect([second.from, third.from]).toEqual([21, 28]);
    expect(listAddress(third)).toBe("/dashboard/transactions?status=failed&cursor=three&from=28&newer=21:two");
    expect(newer(third)).toEqual(second);
    expect(newer(second)).toEqual(first);
    expect(newerPage(first)).toEqual(firstPage);
  });

  test("an address remembers a bounded number of pages, and does not skip the others", () => {
    let query = read("/x");
    for (let page = 2; page <= limits.rememberedPages + 4; page++) query = older(query, 20, `page${page}`);
    expect(query.newer).toHaveLength(limits.rememberedPages);
    for (const _ of query.newer) query = newer(query);
    expect(query).toMatchObject({ cursor: "page4", from: 61, newer: [] });
    expect(newerPage(query)).toBeNull();
  });

  test("an address without row numbers has none on the pages after it either", () => {
    const query = read("/x?cursor=abc&from=0&newer=x:abc,21,1:a%20b");
    expect(query).toMatchObject({ cursor: "abc", from: null, newer: [] });
    expect(olderPage(query, 20, "next")).toEqual({ cursor: "next", from: null, newer: [] });
    expect(read("/x?from=21&newer=21:abc")).toEqual(read("/x"));
  });
});

test("a tab is not an added filter, and stays when filters are cleared", () => {
  const tabbed: ListShape = {
    ...shape,
    filters: [...shape.filters, "open"],
    tabs: [{ status: "failed,canceled" }, { status: "expired" }, { open: "true" }],
  };
  const of = (address: string) => readListQuery(tabbed, search(address));
  const inTab = of("/x?status=failed,canceled&q=cake");
  expect(addedFilters(inTab)).toEqual(["q"]);
  expect(tabFilters(inTab)).toEqual({ status: "failed,canceled" });
  expect(isFiltered(inTab)).toBe(true);
  expect(tabFilters(of("/x?open=true&status=pending"))).toEqual({ open: "true" });
  for (const other of [of("/x?status=failed&q=cake"), read("/x?status=expired&q=cake")]) {
    expect(addedFilters(other)).toEqual(["status", "q"]);
    expect(tabFilters(other)).toEqual({});
  }
});

test("filters by days have fixed dates", () => {
  for (const name of ["created_from", "created_to", "settled_from", "settled_to", "ends_before"]) {
    expect(hasFixedDates({ status: "paid", [name]: "2026-11-01" })).toBe(true);
  }
  expect(hasFixedDates({ status: "paid", q: "2026-11-01" })).toBe(false);
});

test("every address survives being written and read", () => {
  const text = fc.string({ minLength: 1, unit: "grapheme" });
  const row = fc.integer({ min: 1, max: 999_999_999 });
  const cursor = fc.base64String({ minLength: 4 }).map((one) => one.replace(/\W/g, "-"));
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom("q", "status", "metadata[a b&c]", "metadata[=%]"), text),
      fc.constantFrom(20, 50, 100),
      fc.subarray([...shape.columns], { minLength: 1 }),
      fc.option(fc.record({ cursor: text, from: fc.option(row), newer: fc.array(fc.record({ cursor, from: row })) })),
      (filters, limit, columns, page) => {
        const query = { shape, filters, limit, columns, ...(page ?? firstPage), highlight: null } as const;
        const again = read(listAddress(query as never));
        expect(again).toEqual({ ...query, filters: { ...filters } });
      },
    ),
  );
});

test("the API reads the same filters", () => {
  const query = read("/x?status=succeeded,failed&metadata[a.b]=1%2B1%20%26%20more&q=Käse&cursor=abc&limit=50");
  expect(readQuery(apiQuery(query), queryFieldsOf(transactionQuery))).toEqual({
    status: ["succeeded", "failed"],
    metadata: { "a.b": "1+1 & more" },
    q: "Käse",
    cursor: "abc",
    limit: 50,
  });
});

describe("what the reader chose last", () => {
  const list = { ...shape, list: "transactions" } as const;
  const chosen = {
    transactions: { columns: ["amount", "id", "gone"], rows: 50 },
    users: { columns: ["id"], rows: 100 },
  };
  const readChosen = (address: string) => readListQuery(asChosen(list, chosen), search(address));

  test("is shown by an address that says nothing, in the order of the list", () => {
    const query = readChosen("/x?status=failed");
    expect(query.columns).toEqual(["id", "amount"]);
    expect(query.limit).toBe(50);
    expect(listAddress(query)).toBe("/dashboard/transactions?status=failed");
  });

  test("gives way to what an address says, which links keep", () => {
    const query = readChosen("/x?columns=created,status,amount&limit=20");
    expect(query.columns).toEqual(["created", "status", "amount"]);
    expect(query.limit).toBe(20);
    expect(listAddress(query)).toBe("/dashboard/transactions?limit=20&columns=created,status,amount");
  });

  test("is ignored where none of it exists any more, and where the list remembers nothing", () => {
    const gone = { transactions: { columns: ["gone"], rows: 7 } };
    expect(readListQuery(asChosen(list, gone), {})).toMatchObject({ columns: shape.defaults, limit: 20 });
    expect(asChosen(shape, chosen)).toBe(shape);
    expect(asChosen(list, {})).toBe(list);
  });
});

test("lists have the same filters whatever their order", () => {
  expect(sameFilters({ status: "paid", q: "a" }, { q: "a", status: "paid" })).toBe(true);
  expect(sameFilters({ status: "paid" }, { status: "paid", q: "a" })).toBe(false);
  expect(sameFilters({ status: "paid", q: "a" }, { status: "paid" })).toBe(false);
  expect(sameFilters({ status: "paid" }, { status: "failed" })).toBe(false);
  expect(sameFilters({ status: "paid" }, { q: "paid" })).toBe(false);
});

test("bounds of amounts get a currency, unless they have one", () => {
  expect(inOneCurrency({ amount_max: "1" }, "EUR")).toEqual({ amount_max: "1", currency: "EUR" });
  expect(inOneCurrency({ amount_min: "1", currency: "USD" }, "EUR")).toEqual({ amount_min: "1", currency: "USD" });
  expect(inOneCurrency({ q: "a" }, "EUR")).toEqual({ q: "a" });
});
