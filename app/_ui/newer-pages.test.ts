// The way back through more pages of a list than its address has room for.
import { expect, test } from "vitest";
import { limits } from "@/server/kit/limits";
import {
  firstPage,
  type ListQuery,
  type ListShape,
  listAddress,
  newerPage,
  olderPage,
  readListQuery,
} from "./list-query";
import { recalledNewer, rememberNewer } from "./newer-pages";

const shape: ListShape = { path: "/list", filters: ["q"], columns: ["id"] };

const read = (address: string) =>
  readListQuery(shape, Object.fromEntries(new URL(address, "http://x").searchParams.entries()));

function tab() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

/** Opens a page, and returns the address of the one before it. */
function newerOf(store: ReturnType<typeof tab>, query: ListQuery): string {
  rememberNewer(store, query);
  return recalledNewer(store, query) ?? listAddress(query, newerPage(query) ?? firstPage);
}

test("leads from page to page to the first one", () => {
  const pages = 3 * limits.rememberedPages + 5;
  const store = tab();
  let query = read("/list?q=cake");
  for (let page = 2; page <= pages; page++) {
    query = read(listAddress(query, olderPage(query, 20, `c${page}`)));
    newerOf(store, query);
  }
  for (let page = pages; page > 1; page--) {
    expect([query.cursor, query.from]).toEqual([`c${page}`, (page - 1) * 20 + 1]);
    query = read(newerOf(store, query));
    expect(query.filters).toEqual({ q: "cake" });
  }
  expect(query.cursor).toBeNull();
});

test("leads to the first page where nothing is known, and where nothing can be stored", () => {
  const far = read("/list?cursor=abc&from=801");
  expect(newerOf(tab(), far)).toBe("/list");
  const broken = () => {
    throw new Error("Denied.");
  };
  expect(newerOf({ getItem: broken, setItem: broken }, far)).toBe("/list");
  const near = read("/list?cursor=abc&from=41&newer=21:def");
  expect(newerOf({ getItem: broken, setItem: broken }, near)).toBe("/list?cursor=def&from=21");
});
