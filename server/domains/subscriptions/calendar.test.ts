// Periods compared with a calendar that only counts: it walks days one by one, and finds instants by reading clocks.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dayMs, hourMs, minuteMs } from "@/server/kit/limits";
import { daysAfter } from "@/server/kit/local-time";
import { nextPeriod, periodStart } from "./calendar";

const zones = [
  ...(["UTC", "Europe/Vienna", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"] as const),
  ...(["America/Santiago", "Africa/Cairo", "Pacific/Apia", "America/Sao_Paulo", "Asia/Kathmandu"] as const),
];
const intervals = ["day", "week", "month", "year"] as const;

/** What a clock on the wall of the zone shows, to the minute. */
const formats = new Map(
  zones.map((zone) => [
    zone,
    new Intl.DateTimeFormat("en-GB", {
      ...{ timeZone: zone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit" },
      ...{ hour: "2-digit", minute: "2-digit" },
    }),
  ]),
);

function clock(at: number, zone: (typeof zones)[number]): string {
  const parts = Object.fromEntries((formats.get(zone)?.formatToParts(at) ?? []).map((p) => [p.type, p.value]));
  return `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minute}`;
}

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const lengths = (year: number) => [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The date so many days, months or years later, found by walking. */
function walked(date: string, interval: (typeof intervals)[number], count: number): string {
  let [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  const wanted = day;
  if (interval === "year") year += count;
  if (interval === "month")
    for (let i = 0; i < count; i++) [year, month] = month === 12 ? [year + 1, 1] : [year, month + 1];
  if (interval === "month" || interval === "year") day = Math.min(wanted, lengths(year)[month - 1] ?? 0);
  const steps = interval === "day" ? count : interval === "week" ? 7 * count : 0;
  for (let i = 0; i < steps; i++) {
    day++;
    if (day > (lengths(year)[month - 1] ?? 0)) [day, month] = [1, month + 1];
    if (month > 12) [month, year] = [1, year + 1];
  }
  const two = (n: number) => String(n).padStart(2, "0");
  return `${year}-${two(month)}-${two(day)}`;
}

/** The first instant at which the clock shows the text; if it never does, as Temporal says: after the gap. */
function firstShown(date: string, time: string, zone: (typeof zones)[number]): number {
  const near = Date.parse(`${date}T${time}:00Z`);
  for (let at = near - 15 * hourMs; at <= near + 15 * hourMs; at += minuteMs) {
    if (clock(at, zone) === `${date} ${time}`) return at;
  }
  // The clock skips it: an hour of a day before the gap has the offset to count with.
  for (let at = near - dayMs - 15 * hourMs; at <= near - dayMs + 15 * hourMs; at += minuteMs) {
    if (clock(at, zone) === `${walkedBack(date)} ${time}`) return at + dayMs;
  }
  throw new Error(`Neither ${date} nor the day before has ${time}.`);
}

const walkedBack = (date: string): string => new Date(Date.parse(date) - dayMs).toISOString().slice(0, 10);

const minutesFrom = Date.UTC(2001, 0, 1) / minuteMs;
const minutesTo = Date.UTC(2034, 0, 1) / minuteMs;

describe("periods", () => {
  it("begin when a calendar that counts days and reads clocks says so", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.constantFrom(...intervals),
        fc.integer({ min: minutesFrom, max: minutesTo }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 30 }),
        (timezone, interval, minute, intervalCount, cycle) => {
          const anchorAt = minute * minuteMs;
          const [date = "", time = ""] = clock(anchorAt, timezone).split(" ");
          const target = walked(date, interval, intervalCount * (cycle - 1));
          // Samoa has no 30 December 2011 at all.
          fc.pre(!(timezone === "Pacific/Apia" && /^2011-12-(29|30|31)|2012-01-01$/.test(target)));
          // An anchor in an hour that the clocks show twice is read as the first of them.
          fc.pre(firstShown(date, time, timezone) === anchorAt);
          expect(periodStart({ anchorAt, timezone, interval, intervalCount }, cycle)).toBe(
            firstShown(target, time, timezone),
          );
        },
      ),
      { numRuns: 150 },
    );
  });

  it.each([
    ["month ends", "2027-01-31T11:00:00Z", "month", 1, ["2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31"]],
    ["a leap day, monthly", "2028-01-30T11:00:00Z", "month", 1, ["2028-02-29", "2028-03-30"]],
    ["a leap day, yearly", "2028-02-29T11:00:00Z", "year", 1, ["2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"]],
    ["every second week", "2027-12-24T11:00:00Z", "week", 2, ["2028-01-07", "2028-01-21"]],
  ] as const)("keep the anchor's day: %s", (_, anchor, interval, intervalCount, expected) => {
    const periods = { anchorAt: Date.parse(anchor), timezone: "Europe/Vienna", interval, intervalCount };
    const days = expected.map((_, i) => new Date(periodStart(periods, i + 2)).toISOString().slice(0, 10));
    expect(days).toEqual(expected);
  });

  it("keep the time of day over changes of the clocks, and come after a time that is skipped", () => {
    const at = (text: string) => Date.parse(text);
    const daily = { timezone: "Europe/Vienna", interval: "day", intervalCount: 1 } as const;
    const noon = { ...daily, anchorAt: at("2027-03-27T11:00:00Z") };
    expect(periodStart(noon, 2)).toBe(at("2027-03-28T10:00:00Z"));
    // 02:30 does not exist on 28 March.
    const skipped = { ...daily, anchorAt: at("2027-03-27T01:30:00Z") };
    expect(periodStart(skipped, 2)).toBe(at("2027-03-28T01:30:00Z"));
    expect(periodStart(skipped, 3)).toBe(at("2027-03-29T00:30:00Z"));
    // 02:30 exists twice on 31 October: the first one counts.
    const twice = { ...daily, anchorAt: at("2027-10-30T00:30:00Z") };
    expect(periodStart(twice, 2)).toBe(at("2027-10-31T00:30:00Z"));
    expect(daysAfter(at("2027-03-27T11:00:00Z"), 1, "Europe/Vienna")).toBe(at("2027-03-28T10:00:00Z"));
  });

  it("are found again from any instant", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.constantFrom(...intervals),
        fc.integer({ min: minutesFrom, max: minutesTo }),
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: -dayMs, max: 4_000 * dayMs }),
        (timezone, interval, minute, intervalCount, later) => {
          const periods = { anchorAt: minute * minuteMs, timezone, interval, intervalCount };
          const cycle = nextPeriod(periods, periods.anchorAt + later);
          expect(periodStart(periods, cycle)).toBeGreaterThanOrEqual(periods.anchorAt + later);
          if (cycle > 1) expect(periodStart(periods, cycle - 1)).toBeLessThan(periods.anchorAt + later);
          expect(periodStart(periods, cycle + 1)).toBeGreaterThan(periodStart(periods, cycle));
        },
      ),
      { numRuns: 200 },
    );
  });
});
