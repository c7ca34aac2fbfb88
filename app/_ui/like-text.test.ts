// Which typed texts confirm a name.
import { expect, test } from "vitest";
import { looksLike } from "./like-text";

test.each([
  ["Corner stall", "Corner stall", true],
  [" Corner  stall ", "Corner stall", true],
  ["Corner - stall", "Corner – stall", true],
  ['Anna\'s "Till"', "Anna’s “Till”", true],
  ["Cafe\u0301", "Café", true],
  ["corner stall", "Corner stall", false],
  ["Corner", "Corner stall", false],
  ["Cafe", "Café", false],
])("%j for %j: %j", (text, model, expected) => {
  expect(looksLike(text, model)).toBe(expected);
});
