// The days of reminders as one types them: "-3, 0, 7".
import { limits } from "@/server/kit/limits";

/** The days in ascending order, without repetitions; null if they are no such list. */
export function reminderDaysOf(text: string): number[] | null {
  const { perRequest, days } = limits.reminders;
  // A minus sign may be typed as U+2212 or as a dash.
  const parts = text
    .replace(/[\u2212\u2013]/g, "-")
    .split(/[\s,;]+/)
    .filter((part) => part !== "");
  if (!parts.every((part) => /^[+-]?\d{1,3}$/.test(part))) return null;
  // Adding 0 makes 0 of -0.
  const found = [...new Set(parts.map((part) => Number(part) + 0))].sort((a, b) => a - b);
  return found.length <= perRequest && found.every((day) => Math.abs(day) <= days) ? found : null;
}
