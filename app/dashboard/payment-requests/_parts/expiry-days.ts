// The days to which the expiry of a payment request can be moved, in the reader's time zone.
import { dayBefore, dayOf, endOfDay, startOfDay } from "@/app/_ui/day-bounds";
import { dayMs, limits } from "@/server/kit/limits";

/** The last millisecond of a day; null if there is no such day. */
export function lastMomentOf(day: string, timeZone: string): string | null {
  const end = endOfDay(day, timeZone);
  return end === null ? null : new Date(Date.parse(end) - 1).toISOString();
}

const presentEnd = (expiresAt: string | null, now: number): number =>
  expiresAt === null ? now : Math.max(Date.parse(expiresAt), now);

/** The first and the last day whose end is later than the present expiry, and not too far away. */
export function reachableDays(
  expiresAt: string | null,
  now: number,
  timeZone: string,
): { first: string; last: string } {
  const present = presentEnd(expiresAt, now);
  // Midnight of the day that cannot be reached completely.
  const midnight = startOfDay(
    dayOf(new Date(now + limits.expiryDays.longest * dayMs).toISOString(), timeZone),
    timeZone,
  );
  // A request that expires in the last millisecond of a day needs a later day.
  return { first: dayOf(new Date(present + 1).toISOString(), timeZone), last: dayBefore(midnight ?? "", timeZone) };
}

/** The day that a form proposes: as far away as a new payment request's, counted from the present expiry. */
export function proposedDay(expiresAt: string | null, now: number, timeZone: string): string {
  const present = presentEnd(expiresAt, now);
  const wanted = dayOf(new Date(present + limits.expiryDays.default * dayMs).toISOString(), timeZone);
  const { last } = reachableDays(expiresAt, now, timeZone);
  const [proposed = last] = [wanted, last].sort();
  return proposed;
}
