// The periods that readers choose most often, as days of their calendar.
import { dayOf } from "./day-bounds";

/** The first and the last day, such as `2026-11-01`. */
export type Days = readonly [first: string, last: string];

/** In the order in which they are offered. */
export const presets = ["today", "yesterday", "lastWeek", "thisMonth", "lastMonth"] as const;
type Preset = (typeof presets)[number];

/** The days of each preset at `now`, in epoch ms, in a time zone. */
export function presetsAt(now: number, timeZone: string): Readonly<Record<Preset, Days>> {
  const today = dayOf(new Date(now).toISOString(), timeZone);
  const [year = 0, month = 1, day = 1] = today.split("-").map(Number);
  const before = (days: number) => isoDay(year, month, day - days);
  return {
    today: [today, today],
    yesterday: [before(1), before(1)],
    lastWeek: [before(6), today],
    thisMonth: [isoDay(year, month, 1), isoDay(year, month + 1, 0)],
    lastMonth: [isoDay(year, month - 1, 1), isoDay(year, month, 0)],
  };
}

/** Days and months outside their range count on from the neighboring month, as `Date.UTC` counts. */
const isoDay = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
