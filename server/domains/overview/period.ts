// The period that the home page shows, and the one before it, in days of the reader's calendar.
import { dayOf, startOfDay } from "@/server/kit/day-bounds";
import { dayMs } from "@/server/kit/limits";

export interface Day {
  /** Such as `2026-11-01`. */
  day: string;
  /** Epoch ms, inclusive. */
  from: number;
  /** Epoch ms, exclusive. */
  to: number;
}

/** A time span: epoch ms, the start inclusive, the end exclusive. */
export interface Span {
  from: number;
  to: number;
}

/** The last `count` days up to and including today, oldest first. */
export function lastDays(now: number, count: number, timeZone: string): Day[] {
  const today = Date.parse(dayOf(new Date(now).toISOString(), timeZone));
  const names = Array.from({ length: count + 1 }, (_, i) => {
    return new Date(today - (count - 1 - i) * dayMs).toISOString().slice(0, 10);
  });
  const starts = names.map((day) => instant(startOfDay(day, timeZone)));
  return starts.slice(1).map((to, i) => ({ day: names[i] ?? "", from: starts[i] ?? to, to }));
}

/** The same number of days before the first of these, up to the same time of day as `now`: so today is not too short. */
export function spanBefore(days: readonly Day[], now: number, timeZone: string): Span {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) throw new Error("A period has at least one day.");
  const before = lastDays(first.from - 1, days.length, timeZone);
  const [start, end] = [before[0] ?? first, before.at(-1) ?? first];
  return { from: start.from, to: Math.min(end.to, end.from + (now - last.from)) };
}

/** The longest stretch of time that divides every one of these days. A day whose clocks change has 23 or 25 hours. */
export const grainOf = (days: readonly Day[]): number => days.reduce((grain, { from, to }) => gcd(grain, to - from), 0);

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

function instant(text: string | null): number {
  if (text === null) throw new Error("A day of the calendar has a start.");
  return Date.parse(text);
}
