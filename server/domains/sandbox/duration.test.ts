// Durations of ISO 8601, and what they are from an instant.
import { expect, it } from "vitest";
import { durationIn, instantAfter } from "./duration";

const after = (instant: string, text: string) => {
  const duration = durationIn(text);
  if (!duration) throw new Error(`${text} is no duration.`);
  return new Date(instantAfter(Date.parse(instant), duration)).toISOString();
};

it.each([
  ["P7D", "2026-11-27T12:00:00.250Z"],
  ["P2W", "2026-12-04T12:00:00.250Z"],
  ["P1Y2M3DT4H5M6S", "2028-01-23T16:05:06.250Z"],
  ["PT1S", "2026-11-20T12:00:01.250Z"],
  ["P0D", "2026-11-20T12:00:00.250Z"],
])("%s ends at %s", (text, end) => {
  expect(after("2026-11-20T12:00:00.250Z", text)).toBe(end);
});

it("ends months with the last day of a shorter one", () => {
  expect(after("2027-01-31T00:00:00Z", "P1M")).toBe("2027-02-28T00:00:00.000Z");
  expect(after("2028-02-29T00:00:00Z", "P1Y")).toBe("2029-02-28T00:00:00.000Z");
  expect(after("2026-12-31T00:00:00Z", "P2M1D")).toBe("2027-03-01T00:00:00.000Z");
});

it.each(["", "P", "PT", "P1DT", "7D", "P-1D", "P1.5D", "P1D2W", "p1d", "P1H", "PT1D", "P123456D", " P1D", "P1D\n"])(
  "%j is none",
  (text) => {
    expect(durationIn(text)).toBeNull();
  },
);
