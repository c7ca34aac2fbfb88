// The presets of date filters are days of the reader's calendar.
import { expect, test } from "vitest";
import { presetsAt } from "./date-presets";

test.each([
  ["2026-11-23T12:00:00Z", "UTC", "2026-11-23", "2026-11-22", "2026-11-17", ["2026-11-01", "2026-11-30"]],
  // Already the next day, month and year there; still the one before.
  ["2026-12-31T23:30:00Z", "Asia/Tokyo", "2027-01-01", "2026-12-31", "2026-12-26", ["2027-01-01", "2027-01-31"]],
  ["2027-01-01T02:00:00Z", "America/New_York", "2026-12-31", "2026-12-30", "2026-12-25", ["2026-12-01", "2026-12-31"]],
  ["2028-03-01T12:00:00Z", "Europe/Berlin", "2028-03-01", "2028-02-29", "2028-02-24", ["2028-03-01", "2028-03-31"]],
])("at %s in %s", (now, zone, today, yesterday, weekStart, month) => {
  const { lastMonth: _, ...days } = presetsAt(Date.parse(now), zone);
  expect(days).toEqual({
    today: [today, today],
    yesterday: [yesterday, yesterday],
    lastWeek: [weekStart, today],
    thisMonth: month,
  });
});

test.each([
  ["2026-01-31T12:00:00Z", ["2025-12-01", "2025-12-31"]],
  ["2028-03-31T12:00:00Z", ["2028-02-01", "2028-02-29"]],
])("the month before %s", (now, month) => {
  expect(presetsAt(Date.parse(now), "UTC").lastMonth).toEqual(month);
});
