// How files name the period that they cover.
import { expect, it } from "vitest";
import { periodName } from "./period-name";

const now = Date.parse("2026-11-28T23:30:00Z");

it.each([
  ["2026-10", "UTC", "2026-10-01T00:00:00Z", "2026-11-01T00:00:00Z"],
  ["2026-10", "Europe/Berlin", "2026-09-30T22:00:00Z", "2026-10-31T23:00:00Z"],
  ["2026-10", "Europe/Berlin", "2026-10-01T00:00:00Z", "2026-11-01T00:00:00Z"],
  ["2026", "America/New_York", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"],
  ["2026-10-05_2026-10-06", "Europe/Berlin", "2026-10-05T10:00:00Z", "2026-10-06T10:00:00Z"],
  ["2028-02", "UTC", "2028-02-01T00:00:00Z", "2028-03-01T00:00:00Z"],
  ["2026", "UTC", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"],
  ["2026-10-01_2026-10-30", "UTC", "2026-10-01T00:00:00Z", "2026-10-31T00:00:00Z"],
  ["2026-10-01_2026-11-30", "UTC", "2026-10-01T00:00:00Z", "2026-12-01T00:00:00Z"],
  ["2026-10-05", "UTC", "2026-10-05T00:00:00Z", "2026-10-06T00:00:00Z"],
  ["2026-10-05_2026-11-28", "UTC", "2026-10-05T00:00:00Z", undefined],
  ["until-2026-10-31", "UTC", undefined, "2026-11-01T00:00:00Z"],
  ["2026-11-28", "UTC", undefined, undefined],
  ["2026-11-29", "Europe/Berlin", undefined, undefined],
])("%s in %s", (name, timeZone, from, to) => {
  const at = (instant: string | undefined) => (instant === undefined ? undefined : Date.parse(instant));
  expect(periodName({ from: at(from), to: at(to) }, now, timeZone)).toBe(name);
});
