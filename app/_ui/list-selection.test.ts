// A selection of all matches lasts only while the number of matches is the one that the reader saw.
import { expect, test } from "vitest";
import { selectionOf } from "./list-selection";

const seen = { filters: { currency: "SEK" }, ids: ["a", "b"], total: 23 };

test("all matches are identified by their filters and their number", () => {
  expect(selectionOf(23, seen)).toEqual({ filters: { currency: "SEK" }, expectedCount: 23 });
});

test.each([22, 24])("once %i match, only the rows of the page are selected", (total) => {
  expect(selectionOf(23, { ...seen, ids: ["new", "a"], total })).toEqual({ ids: ["new", "a"] });
});

test("single rows are identified by their ids, whatever matches", () => {
  expect(selectionOf(new Set(["b"]), { ...seen, total: 99 })).toEqual({ ids: ["b"] });
});

test("an empty selection is null", () => {
  expect(selectionOf(new Set(), seen)).toBeNull();
  expect(selectionOf(23, { ...seen, ids: [], total: 0 })).toBeNull();
});
