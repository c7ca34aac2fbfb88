// The days to which an expiry can be moved: over changes of the clock, and in zones far from UTC.
import { expect, it } from "vitest";
import { dayMs } from "@/server/kit/limits";
import { lastMomentOf, proposedDay, reachableDays } from "./expiry-days";

const zones = ["UTC", "Europe/Berlin", "Pacific/Kiritimati", "America/St_Johns"];

it("a day ends with its last millisecond in the reader's zone", () => {
  expect(lastMomentOf("2026-10-25", "Europe/Berlin")).toBe("2026-10-25T22:59:59.999Z");
  expect(lastMomentOf("2026-03-29", "Europe/Berlin")).toBe("2026-03-29T21:59:59.999Z");
  expect(lastMomentOf("", "UTC")).toBeNull();
});

it.each(zones)("the end of each reachable day is later than the expiry and at most 366 days away (%s)", (zone) => {
  const start = Date.parse("2026-03-01T00:00:00.000Z");
  for (let hour = 0; hour < 366 * 24; hour += 5) {
    const now = start + hour * 3_600_000;
    const expiresAt = new Date(now + ((hour % 7) - 3) * dayMs).toISOString();
    const { first, last } = reachableDays(expiresAt, now, zone);
    expect(Date.parse(lastMomentOf(first, zone) ?? "")).toBeGreaterThan(Math.max(now, Date.parse(expiresAt)));
    expect(Date.parse(lastMomentOf(last, zone) ?? "")).toBeLessThanOrEqual(now + 366 * dayMs);
    const proposed = proposedDay(expiresAt, now, zone);
    expect(first <= proposed && proposed <= last).toBe(true);
  }
});

it("a request that expires in the last millisecond of a day needs a later one", () => {
  const now = Date.parse("2026-05-01T12:00:00.000Z");
  expect(reachableDays("2026-05-10T23:59:59.999Z", now, "UTC").first).toBe("2026-05-11");
  expect(reachableDays("2026-05-10T23:59:59.998Z", now, "UTC").first).toBe("2026-05-10");
});
