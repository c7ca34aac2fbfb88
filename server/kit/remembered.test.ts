// Each value is computed once, and the memory stays within its limit.
import { expect, it } from "vitest";
import { remembered } from "./remembered";

/** A memory for three values that counts how often each was computed. */
function counted() {
  const made: string[] = [];
  const get = remembered(3, (key) => {
    made.push(key);
    return key.toUpperCase();
  });
  return { made, get };
}

it("computes each value once", () => {
  const { made, get } = counted();
  expect(["a", "b", "a", "a"].map(get)).toEqual(["A", "B", "A", "A"]);
  expect(made).toEqual(["a", "b"]);
});

it("drops the least recently used value when full", () => {
  const { made, get } = counted();
  for (const key of ["a", "b", "c", "a", "d", "a", "c", "b"]) get(key);
  expect(made).toEqual(["a", "b", "c", "d", "b"]);
});
