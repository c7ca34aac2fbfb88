// Days of a calendar in a time zone, as the instants at which they begin.
import { dayMs, limits } from "./limits";
import { remembered } from "./remembered";

const isoDay = /^\d{4}-\d{2}-\d{2}$/;

/** The first instant of a day (`2026-11-01`) in a time zone, as ISO 8601 in UTC; null if there is no such day. */
export function startOfDay(day: string, timeZone: string): string | null {
  const asUtc = isoDay.test(day) ? Date.parse(day) : Number.NaN;
  if (Number.isNaN(asUtc)) return null;
  // The offset at the start of the day can differ from the one at midnight UTC: the second look-up is exact, except
  // where clocks go forward at midnight. There the day begins with that change, which the first look-up finds.
  const guess = asUtc - offsetAt(asUtc, timeZone);
  const exact = asUtc - offsetAt(guess, timeZone);
  const start = dayOf(new Date(exact).toISOString(), timeZone) === day ? exact : guess;
  return new Date(start).toISOString().replace(".000Z", "Z");
}

/** The first instant after a day in a time zone, as ISO 8601 in UTC; null if there is no such day. */
export function endOfDay(day: string, timeZone: string): string | null {
  const asUtc = startOfDay(day, "UTC");
  return asUtc === null ? null : startOfDay(dayOf(new Date(Date.parse(asUtc) + dayMs).toISOString(), "UTC"), timeZone);
}

/** The day some months after another: the same day of the month, or the last one of a shorter month. */
export function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}

/** The day of an instant in a time zone; empty if the text is not an instant. */
export function dayOf(instant: string, timeZone: string): string {
  const at = Date.parse(instant);
  return Number.isNaN(at) ? "" : new Date(at + offsetAt(at, timeZone)).toISOString().slice(0, 10);
}

/** Formats by time zone: creating one costs far more than using it. */
const formatOf = remembered(
  limits.rememberedFormats,
  (timeZone) =>
    new Intl.DateTimeFormat("en-u-ca-iso8601-nu-latn", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    }),
);

/** How far the zone is ahead of UTC at an instant, in ms. */
export function offsetAt(at: number, timeZone: string): number {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}
