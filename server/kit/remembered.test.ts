// What is remembered is made once, and never more of it than the bound allows.
import { expect, it } from "vitest";
import { remembered } from "./remembered";

/** A memory of three that counts how often each key was made. */
function counted() {
  const made: string[] = [];
  const get = remembered(3, (key) => {
    made.push(key);
    return key.toUpperCase();
  });
  return { made, get };
}

it("makes each value once", () => {
  const { made, get } = counted();
  expect(["a", "b", "a", "a"].map(get)).toEqual(["A", "B", "A", "A"]);
  expect(made).toEqual(["a", "b"]);
});

it("forgets what was not used for longest when it is full", () => {
  const { made, get } = counted();
  for (const key of ["a", "b", "c", "a", "d", "a", "c", "b"]) get(key);
  expect(made).toEqual(["a", "b", "c", "d", "b"]);
});
