// How the current viewer's numbers and dates are formatted.
import { cookies, headers } from "next/headers";
import { cache } from "react";
import { currentUser } from "../_trpc/session";
import { preferredLocale } from "./preferred-locale";
import { timeZoneCookie } from "./time-zone-cookie";

export interface Viewer {
  /** For numbers and dates only; next-intl decides the language of the texts. */
  locale: string;
  timeZone: string;
  /** The zone that the browser reported; null if it has reported none or an invalid one. The profile's zone wins. */
  reportedTimeZone: string | null;
}

/**
 * The viewer of the current HTTP request: as the profile of the signed-in user says, otherwise as the browser does.
 * If the user cannot be read, that is ignored here: a page that needs the user reads it again and reports the error.
 */
export const viewer = cache(async (): Promise<Viewer> => {
  const [incoming, jar] = await Promise.all([headers(), cookies()]);
  const reported = jar.get(timeZoneCookie)?.value ?? null;
  const known = reported !== null && isTimeZone(reported) ? reported : null;
  const own = await currentUser().catch(() => null);
  const locale = own?.locale ?? preferredLocale(incoming.get("accept-language"));
  return { locale, timeZone: own?.timezone ?? known ?? "UTC", reportedTimeZone: known };
});

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== null;
  } catch {
    return false;
  }
}
