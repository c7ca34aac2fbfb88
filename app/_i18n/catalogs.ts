// The texts of the dashboard in each language.
import type { Messages } from "next-intl";
import de from "@/messages/de.json";
import en from "@/messages/en.json";
import {
  type DashboardLanguage,
  dashboardLanguages,
  defaultLocale,
  firstLocaleOf,
  preferredLocale,
} from "@/server/kit/languages";

/** The texts by language. The compiler refuses a catalog that lacks one. */
export const catalogs: Readonly<Record<DashboardLanguage, Messages>> = { en, de };

/**
 * The language for a user with this locale (null: none chosen, or nobody is signed in) and this Accept-Language header:
 * the first for which there is a catalog, otherwise English.
 */
export const languageFor = (own: string | null, acceptLanguage: string | null): DashboardLanguage =>
  (firstLocaleOf([own], dashboardLanguages) ?? preferredLocale(acceptLanguage, dashboardLanguages) ?? defaultLocale)
    .language;
