// The name of a period in the name of a file.
import { offsetAt } from "./day-bounds";
import { dayMs } from "./limits";
import { calendarDay } from "./phrases";

/** A stretch of time in epoch ms: the start inclusive, the end exclusive. An end that is missing is open. */
export interface Period {
  from?: number | undefined;
  to?: number | undefined;
}

/**
 * The period in days of the time zone (IANA): a year (`2026`), a month (`2026-10`), a day, or the first and the last
 * day (`2026-10-05_2026-10-09`). A period without a start is `until-2026-10-31`; one without an end goes up to `now`,
 * and without either it is the day of `now` (epoch ms). One of days in UTC, as bare dates of an API call are, has the
 * names of those.
 */
export function periodName(period: Period, now: number, zone: string): string {
  const { from, to } = period;
  const timeZone = isOfDays(period, zone) || !isOfDays(period, "UTC") ? zone : "UTC";
  const dayAt = (instant: number) => calendarDay(new Date(instant).toISOString(), timeZone);
  const last = dayAt(to === undefined ? now : to - 1);
  if (from === undefined) return to === undefined ? last : `until-${last}`;
  const first = dayAt(from);
  if (first === last) return first;
  const next = new Date(Date.parse(last) + dayMs).toISOString().slice(0, 10);
  const [year, month] = [first.slice(0, 4), first.slice(0, 7)];
  if (first === `${year}-01-01` && last === `${year}-12-31`) return year;
  if (first === `${month}-01` && last.startsWith(month) && next.endsWith("-01")) return month;
  return `${first}_${last}`;
}

/** Whether the period begins and ends with a day in the time zone. */
const isOfDays = ({ from, to }: Period, timeZone: string): boolean =>
  [from, to].every((at) => at === undefined || (at + offsetAt(at, timeZone)) % dayMs === 0);
