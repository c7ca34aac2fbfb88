// A day begins and ends at local midnight in the reader's time zone, also on days when the clocks change.
import { expect, test } from "vitest";
import { dayBefore, dayOf, endOfDay, startOfDay } from "./day-bounds";

test.each([
  ["2026-11-01", "UTC", "2026-11-01T00:00:00Z", "2026-11-02T00:00:00Z"],
  ["2026-11-01", "Asia/Tokyo", "2026-10-31T15:00:00Z", "2026-11-01T15:00:00Z"],
  ["2026-07-01", "Europe/Berlin", "2026-06-30T22:00:00Z", "2026-07-01T22:00:00Z"],
  // Days of 23, 25 and 25 hours.
  ["2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"],
  ["2026-10-25", "Europe/Berlin", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"],
  ["2026-11-01", "America/New_York", "2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z"],
  // Days that begin at 01:00, because clocks go forward at midnight.
  ["2026-09-06", "America/Santiago", "2026-09-06T04:00:00Z", "2026-09-07T03:00:00Z"],
  ["2026-03-29", "Atlantic/Azores", "2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z"],
  // Offsets of 5:45 and 14 hours.
  ["2026-11-01", "Asia/Kathmandu", "2026-10-31T18:15:00Z", "2026-11-01T18:15:00Z"],
  ["2026-12-31", "Pacific/Kiritimati", "2026-12-30T10:00:00Z", "2026-12-31T10:00:00Z"],
])("%s in %s begins and ends at local midnight", (day, zone, start, end) => {
  expect(startOfDay(day, zone)).toBe(start);
  expect(endOfDay(day, zone)).toBe(end);
  expect(dayOf(start, zone)).toBe(day);
  expect(dayBefore(end, zone)).toBe(day);
});

test.each(["", "2026-13-01", "2026-11-1", "today"])("%j is not a day", (day) => {
  expect(startOfDay(day, "UTC")).toBeNull();
  expect(endOfDay(day, "UTC")).toBeNull();
});

test.each(["", "2026-13-01", "today"])("%j is not an instant, so it has no day", (instant) => {
  expect(dayOf(instant, "UTC")).toBe("");
});

test("a date without a time is midnight UTC", () => {
  expect(dayOf("2026-11-01", "America/New_York")).toBe("2026-10-31");
});
