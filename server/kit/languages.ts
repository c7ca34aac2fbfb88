// Languages that customers read: of hosted pages and of mails. Chooses one from tags and headers.
import { limits } from "./limits";
import { remembered } from "./remembered";

/** The languages of hosted pages and mails, each by its own name. */
export const languages = { en: "English", de: "Deutsch" } as const;

export type Language = keyof typeof languages;

export interface Locale {
  /** Only language and region, such as `de-AT`. */
  tag: string;
  language: Language;
}

const localeOfTag = remembered(limits.rememberedLanguages, (tag): Locale | null => {
  try {
    const { language, region } = new Intl.Locale(tag);
    if (!Object.hasOwn(languages, language)) return null;
    return { tag: region === undefined ? language : `${language}-${region}`, language: language as Language };
  } catch {
    return null;
  }
});

/**
 * The locale that a BCP 47 tag identifies; null for a language without a catalog. Extensions are ignored: a link with
 * `-u-ca-buddhist-nu-arab` must not change how dates and amounts are written.
 */
const localeOf = (tag: string): Locale | null => (tag.length > limits.languageTag ? null : localeOfTag(tag));

/** The locale of readers of whom nothing is known. */
export const defaultLocale: Locale = { tag: "en", language: "en" };

/** The locale of the first of these tags for which there is a catalog; null for none. */
export function firstLocaleOf(tags: readonly (string | null | undefined)[]): Locale | null {
  for (const tag of tags) {
    const locale = tag ? localeOf(tag) : null;
    if (locale) return locale;
  }
  return null;
}

/** The preferred locale of an Accept-Language header for which we have a catalog (RFC 9110, 12.5.4). */
export const preferredLocale = (header: string | null): Locale | null =>
  header === null ? null : localeOfHeader(header.slice(0, limits.acceptLanguage.hosted.characters));

const localeOfHeader = remembered(limits.rememberedLanguages, (header): Locale | null => {
  const wanted = header
    .split(",", limits.acceptLanguage.hosted.tags)
    .map((entry) => {
      const [tag = "", ...parameters] = entry.split(";").map((part) => part.trim());
      const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
      return { locale: localeOf(tag), quality: Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  return wanted.find(({ locale }) => locale !== null)?.locale ?? null;
});
