// How an instant is written for the reader.

import { limits } from "@/server/kit/limits";
import { remembered } from "@/server/kit/remembered";

const formatOf = remembered(limits.rememberedFormats, (key) => {
  const [locale, options] = JSON.parse(key) as [string, Intl.DateTimeFormatOptions];
  return new Intl.DateTimeFormat(locale, options);
});

/** A format of dates. It is kept: creating one costs far more than using it, and a list writes many dates. */
export const dateFormat = (locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  formatOf(JSON.stringify([locale, options]));

/** Today's instants by their time ("22:08"), those of this year by their day ("21 Nov"), others by day and year. */
export function shortInstant(at: Date, now: Date, locale: string, timeZone: string): string {
  const format = (options: Intl.DateTimeFormatOptions) => dateFormat(locale, { ...options, timeZone });
  const day = format({ dateStyle: "short" });
  if (day.format(at) === day.format(now)) return format({ timeStyle: "short" }).format(at);
  const year = format({ year: "numeric" });
  if (year.format(at) !== year.format(now)) return format({ dateStyle: "medium" }).format(at);
  return format({ day: "numeric", month: "short" }).format(at);
}
