// Days of the reader's calendar as the instants at which they begin and end, for filters by date.
import { dayOf, startOfDay } from "@/server/kit/day-bounds";
import { dayMs } from "@/server/kit/limits";

export { dayOf, startOfDay };

/** The first instant after a day in a time zone; null if there is no such day. */
export function endOfDay(day: string, timeZone: string): string | null {
  const asUtc = startOfDay(day, "UTC");
  return asUtc === null ? null : startOfDay(dayOf(new Date(Date.parse(asUtc) + dayMs).toISOString(), "UTC"), timeZone);
}

/** The last day before an instant: people read an exclusive end as the day before. */
export function dayBefore(instant: string, timeZone: string): string {
  const at = Date.parse(instant);
  return Number.isNaN(at) ? "" : dayOf(new Date(at - 1).toISOString(), timeZone);
}
