// Languages of texts, and the locale of a reader: chosen from tags and headers.
import { limits } from "./limits";
import { remembered } from "./remembered";

/** The languages of hosted pages, each by its own name. */
export const languages = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  ja: "日本語",
  ar: "العربية",
} as const;

export type Language = keyof typeof languages;

export const pageLanguages = Object.keys(languages) as Language[];

/** The languages of mails and of papers, whose fonts have no Japanese and Arabic characters. */
export const mailLanguages = ["en", "de", "fr", "es"] as const satisfies Language[];

export type MailLanguage = (typeof mailLanguages)[number];

/** The languages of the dashboard. */
export const dashboardLanguages = ["en", "de"] as const satisfies Language[];

export type DashboardLanguage = (typeof dashboardLanguages)[number];

export interface Locale<L extends Language = Language> {
  /** Only language and region, such as `de-AT`. */
  tag: string;
  language: L;
  /** The tag for numbers and dates, which are written with Western digits and by the Gregorian calendar. */
  formats: string;
}

const localeOfTag = remembered(limits.rememberedLanguages, (tag): Locale | null => {
  try {
    const { language, region } = new Intl.Locale(tag);
    return Object.hasOwn(languages, language) ? localeIn(language as Language, region) : null;
  } catch {
    return null;
  }
});

function localeIn<L extends Language>(language: L, region?: string): Locale<L> {
  const tag = region === undefined ? language : `${language}-${region}`;
  return { tag, language, formats: `${tag}-u-ca-gregory-nu-latn` };
}

/**
 * The locale that a BCP 47 tag identifies; null for a language without a catalog. Extensions are ignored: a link with
 * `-u-ca-buddhist-nu-arab` must not change how dates and amounts are written.
 */
const localeOf = (tag: string): Locale | null => (tag.length > limits.languageTag ? null : localeOfTag(tag));

/** The locale of readers of whom nothing is known. */
export const defaultLocale: Locale<"en"> = localeIn("en");

const isIn = <L extends Language>(locale: Locale, among: readonly L[]): locale is Locale<L> =>
  (among as readonly Language[]).includes(locale.language);

/** The locale of the first of these tags whose language is one of `among`; null for none. */
export function firstLocaleOf<L extends Language>(
  tags: readonly (string | null | undefined)[],
  among: readonly L[],
): Locale<L> | null {
  for (const tag of tags) {
    const locale = tag ? localeOf(tag) : null;
    if (locale && isIn(locale, among)) return locale;
  }
  return null;
}

/** The preferred locale of an Accept-Language header whose language is one of `among` (RFC 9110, 12.5.4). */
export function preferredLocale<L extends Language>(header: string | null, among: readonly L[]): Locale<L> | null {
  const wanted = header === null ? [] : localesOfHeader(header.slice(0, limits.acceptLanguage.hosted.characters));
  for (const locale of wanted) {
    if (isIn(locale, among)) return locale;
  }
  return null;
}

/** The locales of an Accept-Language header for which there is a catalog, the most wanted first. */
const localesOfHeader = remembered(limits.rememberedLanguages, (header): readonly Locale[] =>
  header
    .split(",", limits.acceptLanguage.hosted.tags)
    .map((entry) => {
      const [tag = "", ...parameters] = entry.split(";").map((part) => part.trim());
      const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
      return { locale: localeOf(tag), quality: Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .flatMap(({ locale }) => locale ?? []),
);

/** Whether a language is written from right to left. */
export const isRightToLeft = (language: Language): boolean => language === "ar";

/** A value for each of these languages. */
export const inEach = <L extends Language, T>(among: readonly L[], make: (language: L) => T): Readonly<Record<L, T>> =>
  Object.fromEntries(among.map((language) => [language, make(language)])) as Record<L, T>;
