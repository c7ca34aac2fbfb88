// The language of the current viewer, and how numbers and dates are formatted.
import { cookies, headers } from "next/headers";
import { cache } from "react";
import type { DashboardLanguage } from "@/server/kit/languages";
import { limits } from "@/server/kit/limits";
import { remembered } from "@/server/kit/remembered";
import { currentUser } from "../_trpc/session";
import { languageFor } from "./catalogs";
import { preferredLocale } from "./preferred-locale";
import { timeZoneCookie } from "./time-zone-cookie";

export interface Viewer {
  /** The language of the texts. */
  language: DashboardLanguage;
  /** BCP 47 tag for numbers and dates, which may be of a language without texts. */
  locale: string;
  timeZone: string;
  /** How far the organization's time is ahead of real time, in milliseconds. */
  aheadMs: number;
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
  const wanted = incoming.get("accept-language");
  const language = languageFor(own?.locale ?? null, wanted);
  return {
    language,
    locale: own?.locale ?? preferredLocale(wanted),
    timeZone: own?.timezone ?? known ?? "UTC",
    aheadMs: own?.organization.clock.offset_ms ?? 0,
    reportedTimeZone: known,
  };
});

const isTimeZone = remembered(limits.rememberedFormats, (name): boolean => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== null;
  } catch {
    return false;
  }
});
