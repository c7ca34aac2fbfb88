// What a pay page says, in its reader's language, with amounts and dates as that language writes them.
import { createTranslator } from "use-intl/core";
import en from "@/messages/en.json";
import { formatMoney } from "@/server/kit/currency";

const catalogues = { en };

type Language = keyof typeof catalogues;

/** The words and the formats of one reader. */
export interface Reader {
  /** BCP 47 tag; the page's `lang`. */
  locale: string;
  t: ReturnType<typeof translatorOf>;
  money(minorUnits: number, currency: string): string;
  /** A date with its time and zone, from ISO 8601. */
  instant(at: string): string;
  /** A date alone. */
  day(at: string): string;
}

const translatorOf = (language: Language) =>
  createTranslator({ locale: language, messages: catalogues[language], namespace: "pay" });

/** The first of the wanted languages in which we have words, with the region that was asked for. */
export function readerFor(wanted: readonly string[], timeZone: string | null): Reader {
  const locale = wanted.find((tag) => languageOf(tag) !== null) ?? "en";
  const language = languageOf(locale) ?? "en";
  const zone = timeZone ?? "UTC";
  return {
    locale,
    t: translatorOf(language),
    money: (minorUnits, currency) => formatMoney(minorUnits, currency, locale),
    instant: (at) => format(locale, at, { dateStyle: "long", timeStyle: "short", timeZone: zone }, zone),
    day: (at) => format(locale, at, { dateStyle: "long", timeZone: zone }, null),
  };
}

function languageOf(tag: string): Language | null {
  try {
    const { language } = new Intl.Locale(tag);
    return language in catalogues ? (language as Language) : null;
  } catch {
    return null;
  }
}

function format(locale: string, at: string, options: Intl.DateTimeFormatOptions, zone: string | null): string {
  const text = new Intl.DateTimeFormat(locale, options).format(new Date(at));
  if (zone === null) return text;
  const named = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: "short" });
  const name = named.formatToParts(new Date(at)).find(({ type }) => type === "timeZoneName")?.value;
  return name ? `${text} ${name}` : text;
}

const mostTags = 10;

/** The tags of an Accept-Language header, most wanted first (RFC 9110, 12.5.4). */
export function wantedLanguages(header: string | null): string[] {
  return (header ?? "")
    .split(",", mostTags)
    .map((entry) => {
      const [tag = "", ...parameters] = entry.split(";").map((part) => part.trim());
      const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
      return { tag, quality: Number(quality) };
    })
    .filter(({ tag, quality }) => tag !== "" && quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);
}
