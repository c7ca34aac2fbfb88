// The day in the browser's time zone, by which forms check the dates that are typed.
import { dayOf } from "./day-bounds";

export const browserDay = (at: number): string =>
  dayOf(new Date(at).toISOString(), Intl.DateTimeFormat().resolvedOptions().timeZone);
