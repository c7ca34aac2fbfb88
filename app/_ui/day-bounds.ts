// Days of the reader's calendar as the instants between which they lie, for filters by date.

const dayMs = 86_400_000;
const isoDay = /^\d{4}-\d{2}-\d{2}$/;

/** The first instant of a day (`2026-11-01`) in a time zone, as ISO 8601 in UTC; null if there is no such day. */
export function startOfDay(day: string, timeZone: string): string | null {
  const asUtc = isoDay.test(day) ? Date.parse(day) : Number.NaN;
  if (Number.isNaN(asUtc)) return null;
  // The offset at the day's start can differ from that at its midnight in UTC: the second look settles it.
  const guess = asUtc - offsetAt(asUtc, timeZone);
  return new Date(asUtc - offsetAt(guess, timeZone)).toISOString().replace(".000Z", "Z");
}

/** The first instant after a day in a time zone; null if there is no such day. */
export function endOfDay(day: string, timeZone: string): string | null {
  const asUtc = isoDay.test(day) ? Date.parse(day) : Number.NaN;
  return Number.isNaN(asUtc) ? null : startOfDay(new Date(asUtc + dayMs).toISOString().slice(0, 10), timeZone);
}

/** The day on which an instant falls in a time zone; empty if the text is no instant. */
export function dayOf(instant: string, timeZone: string): string {
  const at = Date.parse(instant);
  return Number.isNaN(at) ? "" : new Date(at + offsetAt(at, timeZone)).toISOString().slice(0, 10);
}

/** The last day before an instant, which is how people read an exclusive end. */
export function dayBefore(instant: string, timeZone: string): string {
  const at = Date.parse(instant);
  return Number.isNaN(at) ? "" : dayOf(new Date(at - 1).toISOString(), timeZone);
}

/** How far the zone's clocks are ahead of UTC at a moment, in ms. */
function offsetAt(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat("en-u-ca-iso8601-nu-latn", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}
