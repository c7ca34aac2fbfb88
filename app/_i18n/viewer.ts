// How whoever looks at the page reads numbers and dates.
import { cookies, headers } from "next/headers";
import { cache } from "react";
import { preferredLocale } from "./preferred-locale";
import { timeZoneCookie } from "./time-zone-cookie";

export interface Viewer {
  /** For numbers and dates alone; the language of the words is next-intl's. */
  locale: string;
  timeZone: string;
  /** The zone as the browser reported it; null before it has, while times are in UTC. */
  reportedTimeZone: string | null;
}

/** The reader of the request that is being answered. */
export const viewer = cache(async (): Promise<Viewer> => {
  const [incoming, jar] = await Promise.all([headers(), cookies()]);
  const reported = jar.get(timeZoneCookie)?.value ?? null;
  const known = reported !== null && isTimeZone(reported) ? reported : null;
  const locale = preferredLocale(incoming.get("accept-language"));
  return { locale, timeZone: known ?? "UTC", reportedTimeZone: known };
});

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== null;
  } catch {
    return false;
  }
}
