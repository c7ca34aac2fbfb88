// Sizes as the reader sees them.
import { expect, it } from "vitest";
import { bytesText } from "./bytes-text";

it.each([
  [0, "en", "0 bytes"],
  [999, "en", "999 bytes"],
  [1_000, "en", "1 kB"],
  [4_120_000, "en", "4.12 MB"],
  [1_500_000_000_000, "de", "1,5 TB"],
  [2e18, "en", "2,000,000 TB"],
])("%d in %s is %s", (bytes, locale, text) => {
  expect(bytesText(bytes, locale)).toBe(text);
});
