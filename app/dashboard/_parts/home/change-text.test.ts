// Changes as the home page shows them: cut off where the number would say nothing.
import { expect, test } from "vitest";
import { changeText } from "./change-text";

test.each([
  [0.25, "+25%"],
  [0, "0%"],
  [-0.5, "−50%"],
  [9.99, "+999%"],
  [2903.8, "> +999%"],
])("%d", (change, text) => {
  expect(changeText(change, "en")).toBe(text);
});

test("in the reader's language", () => {
  expect(changeText(2903.8, "de")).toBe("> +999\u00a0%");
});
