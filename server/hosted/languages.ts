// Chooses a hosted page's language and locale from the address, the payment request, the browser and the account.
import { limits } from "@/server/kit/limits";
import { remembered } from "@/server/kit/remembered";

/** The languages of hosted pages, each by its own name. */
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
export const localeOf = (tag: string): Locale | null => (tag.length > limits.languageTag ? null : localeOfTag(tag));

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
