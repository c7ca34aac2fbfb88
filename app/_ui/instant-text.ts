// How an instant is written for the reader.

/** Today's instants by their time ("22:08"), those of this year by their day ("21 Nov"), others by day and year. */
export function shortInstant(at: Date, now: Date, locale: string, timeZone: string): string {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { ...options, timeZone });
  const day = format({ dateStyle: "short" });
  if (day.format(at) === day.format(now)) return format({ timeStyle: "short" }).format(at);
  const year = format({ year: "numeric" });
  if (year.format(at) !== year.format(now)) return format({ dateStyle: "medium" }).format(at);
  return format({ day: "numeric", month: "short" }).format(at);
}
