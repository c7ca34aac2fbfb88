// Local dates and times of a time zone as instants, as Temporal defines them.
import { offsetAt } from "./day-bounds";
import { dayMs } from "./limits";

/** The same time of day some days later, over changes of the clocks. */
export const daysAfter = (at: number, days: number, timezone: string): number =>
  instantOf(at + offsetAt(at, timezone) + days * dayMs, timezone);

/**
 * The instant of a local date and time, given as epoch ms of the same in UTC. A time that the clocks show twice is the
 * first one; a time that they skip is as long after the change as it would have been without it. Temporal calls that
 * `compatible`.
 */
export function instantOf(local: number, timezone: string): number {
  // No zone changes its clocks twice within two days.
  const before = offsetAt(local - dayMs, timezone);
  const after = offsetAt(local + dayMs, timezone);
  const matches = [local - before, local - after].filter((at) => at + offsetAt(at, timezone) === local);
  return matches.length > 0 ? Math.min(...matches) : local - before;
}
