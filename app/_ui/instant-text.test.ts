// Short instants, in the reader's time zone.
import { expect, test } from "vitest";
import { dateFormat, shortInstant } from "./instant-text";

const now = new Date("2026-11-22T23:30:00Z");

test.each([
  ["2026-11-22T22:08:00Z", "UTC", "22:08"],
  ["2026-11-21T22:08:00Z", "UTC", "21 Nov"],
  ["2025-11-22T22:08:00Z", "UTC", "22 Nov 2025"],
  // In Tokyo it is already the 23rd; the instant is of the 22nd there.
  ["2026-11-22T14:08:00Z", "Asia/Tokyo", "22 Nov"],
  ["2026-11-22T15:08:00Z", "Asia/Tokyo", "00:08"],
])("%s in %s is written %s", (at, timeZone, text) => {
  expect(shortInstant(new Date(at), now, "en-GB", timeZone)).toBe(text);
});

test("a format is made once for each language, zone and style", () => {
  const format = (locale: string, timeZone: string) => dateFormat(locale, { dateStyle: "medium", timeZone });
  expect(format("en-GB", "UTC")).toBe(format("en-GB", "UTC"));
  expect(format("en-GB", "Asia/Tokyo").format(now)).toBe("23 Nov 2026");
  expect(format("de", "UTC").format(now)).toBe("22.11.2026");
});
