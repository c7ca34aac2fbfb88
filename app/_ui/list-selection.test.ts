// All that match stay selected only while as many match as the reader has seen.
import { expect, test } from "vitest";
import { selectionOf } from "./list-selection";

const seen = { filters: { currency: "SEK" }, ids: ["a", "b"], total: 23 };

test("all that match are named by their filters and their number", () => {
  expect(selectionOf(23, seen)).toEqual({ filters: { currency: "SEK" }, expectedCount: 23 });
});

test.each([22, 24])(
  "when %i match by now, the rows in sight are selected and the rest must be chosen again",
  (total) => {
    expect(selectionOf(23, { ...seen, ids: ["new", "a"], total })).toEqual({ ids: ["new", "a"] });
  },
);

test("single rows are named by their ids, whatever matches", () => {
  expect(selectionOf(new Set(["b"]), { ...seen, total: 99 })).toEqual({ ids: ["b"] });
});

test("nothing is nothing", () => {
  expect(selectionOf(new Set(), seen)).toBeNull();
  expect(selectionOf(23, { ...seen, ids: [], total: 0 })).toBeNull();
});
