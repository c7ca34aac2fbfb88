// Moments are written with the name of their zone, as people of that language know it.
import { expect, test } from "vitest";
import { readerOf } from "./reader";

test.each([
  ["de", "Europe/London", "01", "GMT"],
  ["de", "Europe/London", "07", "GMT+1"],
  ["en", "Europe/Lisbon", "01", "GMT"],
  ["de", "Europe/Berlin", "01", "MEZ"],
  ["en", null, "01", "UTC"],
])("%s, %s, month %s: %s", (lang, timezone, month, zone) => {
  const { instant } = readerOf(new Request(`https://x.example/?lang=${lang}`), { locales: [], timezone });
  expect(instant(`2026-${month}-05T12:00:00Z`).split(" ").at(-1)).toBe(zone);
});
