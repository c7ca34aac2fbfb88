// The day on which money was received, as typed into a field: receivedAt(day, now(), timeZone).
import { dayMs, limits } from "@/server/kit/limits";
import { startOfDay } from "./day-bounds";

/** The start of the day in the time zone; null if it is not a day, or in the future, or too long ago. */
export function receivedAt(day: string, now: number, timeZone: string): string | null {
  const at = startOfDay(day, timeZone);
  const time = Date.parse(at ?? "");
  return time <= now && time > now - limits.effectiveDays * dayMs ? at : null;
}
