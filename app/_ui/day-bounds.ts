// Days of the reader's calendar as the instants at which they begin and end, for filters by date.
import { dayOf, endOfDay, startOfDay } from "@/server/kit/day-bounds";

export { dayOf, endOfDay, startOfDay };

/** The last day before an instant: people read an exclusive end as the day before. */
export function dayBefore(instant: string, timeZone: string): string {
  const at = Date.parse(instant);
  return Number.isNaN(at) ? "" : dayOf(new Date(at - 1).toISOString(), timeZone);
}
