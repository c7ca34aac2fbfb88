// When the periods of a subscription begin: its anchor's day and time of day, in a time zone, as Temporal defines it.
import type { SubscriptionInterval } from "@/db/schema/values";
import { offsetAt } from "@/server/kit/day-bounds";
import { dayMs } from "@/server/kit/limits";
import { instantOf } from "@/server/kit/local-time";

/** What the periods follow from. */
export interface Periods {
  /** The begin of the first period, epoch ms. */
  anchorAt: number;
  timezone: string;
  interval: SubscriptionInterval;
  intervalCount: number;
}

/**
 * When period `cycle` begins, epoch ms; the first one is 1. Each is counted from the anchor, not from the one before: of
 * 31 January, February has the 28th or 29th and March the 31st again.
 */
export function periodStart({ anchorAt, timezone, interval, intervalCount }: Periods, cycle: number): number {
  // The anchor itself may be the second of two instants at which the clocks show the same.
  if (cycle === 1) return anchorAt;
  const local = anchorAt + offsetAt(anchorAt, timezone);
  return instantOf(added(local, interval, intervalCount * (cycle - 1)), timezone);
}

/** The first period that begins at `now` or later. */
export function nextPeriod(periods: Periods, now: number): number {
  const longest = { day: 1, week: 7, month: 31, year: 366 }[periods.interval] * periods.intervalCount * dayMs;
  // Too early by at most a few periods, since months and years are shorter than the longest.
  let cycle = Math.max(1, Math.floor((now - dayMs - periods.anchorAt) / longest));
  while (periodStart(periods, cycle) < now) cycle++;
  return cycle;
}

/** A local date and time, as epoch ms of the same in UTC, after `count` intervals. A day that a month lacks is its last. */
function added(local: number, interval: SubscriptionInterval, count: number): number {
  if (interval === "day") return local + count * dayMs;
  if (interval === "week") return local + 7 * count * dayMs;
  const date = new Date(local);
  const month = date.getUTCMonth() + (interval === "month" ? count : 0);
  const year = date.getUTCFullYear() + (interval === "year" ? count : 0);
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const timeOfDay = local - Math.floor(local / dayMs) * dayMs;
  return Date.UTC(year, month, Math.min(date.getUTCDate(), last)) + timeOfDay;
}
