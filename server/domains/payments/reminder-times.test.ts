// When reminders go, compared with what clocks on the walls of their zones show.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dayMs, hourMs, limits, minuteMs } from "@/server/kit/limits";
import { dueInstant } from "./due-date";
import { dueState, nextWaking, reminderAt } from "./reminder-times";

const zones = [
  ...["UTC", "Europe/Vienna", "America/Los_Angeles", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia"],
  ...[
    "America/Santiago",
    "Africa/Cairo",
    "America/Havana",
    "Pacific/Kiritimati",
    "Pacific/Chatham",
    "America/St_Johns",
  ],
];

/** What a clock of the zone shows: the date and the time of day. */
const formats = new Map(
  zones.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" }),
  ]),
);
const shown = (at: number, zone: string): string => formats.get(zone)?.format(at) ?? "";
const dateOf = (at: number, zone: string): string => shown(at, zone).slice(0, 10);
const hourOf = (at: number, zone: string): number => Number(shown(at, zone).slice(11, 13));

/** The date so many days later on a paper calendar. */
const later = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T12:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

/** The first instant at which the clock shows the full hour of the date, or if it skips that, a later time of that date. */
function firstShown(date: string, hour: number, zone: string): number {
  const from = Date.parse(`${date}T00:00:00Z`) - 15 * hourMs;
  const wanted = `${date} ${String(hour).padStart(2, "0")}:00:00`;
  let after: number | null = null;
  for (let at = from; at < from + 55 * hourMs; at += 15 * minuteMs) {
    const clock = shown(at, zone);
    if (clock === wanted) return at;
    if (clock > wanted && clock.startsWith(date)) after ??= at;
  }
  if (after === null) throw new Error(`${zone} has no ${wanted}.`);
  return after;
}

// 2011 has the day that Samoa left out, and later years changes of clocks of all these zones.
const instants = fc.integer({ min: Date.UTC(2009, 0), max: Date.UTC(2034, 0) });
const given = { zone: fc.constantFrom(...zones), hour: fc.integer({ min: 0, max: 23 }) };

describe("reminderAt", () => {
  it.each([
    ["Europe/Vienna", "2027-11-02", -7, "2027-10-26T07:00:00.000Z"],
    ["Europe/Vienna", "2027-03-25", 7, "2027-04-01T07:00:00.000Z"],
    ["America/Los_Angeles", "2027-03-10", 7, "2027-03-17T16:00:00.000Z"],
    ["America/Los_Angeles", "2026-12-18", 0, "2026-12-18T17:00:00.000Z"],
    ["Australia/Lord_Howe", "2027-04-06", -7, "2027-03-29T22:00:00.000Z"],
    ["Pacific/Apia", "2011-12-29", 2, "2011-12-30T19:00:00.000Z"],
  ])("in %s for %s, %i days: %s", (timezone, due, offset, expected) => {
    const base = dueInstant(due, timezone) ?? 0;
    expect(new Date(reminderAt(base, offset, { timezone, hour: 9 })).toISOString()).toBe(expected);
  });

  it("goes on the calendar day at the hour that clocks show, and for day 0 before the date itself", () => {
    const { zone, hour } = given;
    fc.assert(
      fc.property(instants, fc.integer({ min: -60, max: 60 }), zone, hour, (base, offset, timezone, hour) => {
        const date = later(dateOf(base, timezone), offset);
        // Samoa had no 30 December 2011.
        fc.pre(timezone !== "Pacific/Apia" || date !== "2011-12-30");
        const onDay = firstShown(date, hour, timezone);
        const isLate = offset <= 0 && onDay >= base;
        fc.pre(!isLate || timezone !== "Pacific/Apia" || later(date, -1) !== "2011-12-30");
        const at = reminderAt(base, offset, { timezone, hour });
        const expected = isLate ? firstShown(later(date, -1), hour, timezone) : onDay;
        // Where the clocks skip the hour, it goes by their time after the change.
        expect(dateOf(at, timezone)).toBe(isLate ? later(date, -1) : date);
        expect(Math.abs(at - expected)).toBeLessThanOrEqual(hourOf(at, timezone) === hour ? 0 : hourMs);
        if (offset <= 0) expect(at).toBeLessThan(base);
      }),
      { numRuns: 300 },
    );
  });
});

describe("nextWaking", () => {
  it("is the same instant by day, else the next begin of the day", () => {
    const { zone, hour } = given;
    fc.assert(
      fc.property(instants, zone, hour, (at, timezone, hour) => {
        const next = nextWaking(at, { timezone, hour });
        expect(next).toBeGreaterThanOrEqual(at);
        // A day that has 25 hours, or Samoa's, which was left out.
        expect(next - at).toBeLessThanOrEqual(50 * hourMs);
        const clock = hourOf(next, timezone);
        const isSkipped = clock === hour + 1;
        expect(clock >= hour && clock < Math.min(24, hour + limits.reminders.wakingHours + (isSkipped ? 1 : 0))).toBe(
          true,
        );
        const isAwake = hourOf(at, timezone) >= hour && hourOf(at, timezone) < hour + limits.reminders.wakingHours;
        expect(next === at).toBe(isAwake);
      }),
      { numRuns: 500 },
    );
  });
});

describe("dueState", () => {
  const dueAt = dueInstant("2026-12-18", "America/Los_Angeles");
  const stateAt = (now: string, dates: object = {}) =>
    dueState({ dueAt, expiresAt: null, ...dates }, Date.parse(now), "America/Los_Angeles");

  it("is later, today or overdue by the account's calendar", () => {
    expect(stateAt("2026-12-18T07:59:00Z")).toBe("later");
    expect(stateAt("2026-12-18T08:00:00Z")).toBe("today");
    expect(stateAt("2026-12-19T07:59:59Z")).toBe("today");
    expect(stateAt("2026-12-19T08:00:00Z")).toBe("overdue");
  });

  it("is never overdue by an expiry", () => {
    const dates = { dueAt: null, expiresAt: dueAt };
    expect(stateAt("2026-12-17T08:00:00Z", dates)).toBe("later");
    expect(stateAt("2026-12-18T08:00:00Z", dates)).toBe("today");
    expect(stateAt("2026-12-18T08:00:00Z", { dueAt: null })).toBe("later");
  });
});
