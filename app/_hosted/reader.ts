// What a hosted page says, in its reader's language, with amounts and dates as that language writes them.
import { createTranslator } from "use-intl/core";
import de from "@/messages/de.json";
import en from "@/messages/en.json";
import { formatMoney } from "@/server/kit/currency";

/** The languages of hosted pages, each under its own name. */
export const languages = { en: "English", de: "Deutsch" } as const;

export type Language = keyof typeof languages;

const catalogues: Record<Language, Pick<typeof en, "pay">> = { en, de };

/** The words and the formats of one reader. */
export interface Reader {
  /** BCP 47 tag; the page's `lang`. */
  locale: string;
  language: Language;
  t: (typeof translators)[Language];
  money(minorUnits: number, currency: string): string;
  /** A date with its time and zone, from ISO 8601. */
  instant(at: string): string;
  /** A date alone. */
  day(at: string): string;
  /** `path` with this query, and with the language if the reader asked for one by `?lang`. */
  link(path: string, query?: Readonly<Record<string, string>>): string;
}

const translatorOf = (language: Language) =>
  createTranslator({ locale: language, messages: catalogues[language], namespace: "pay" });

const translators = { en: translatorOf("en"), de: translatorOf("de") };

/** The reader of a page: `?lang`, then the request's own language, the browser's, the account's, English. */
export function readerOf(
  request: Request,
  { locales: [own, ...others], timezone }: { locales: readonly (string | null)[]; timezone: string | null } = anybody,
): Reader {
  const lang = new URL(request.url).searchParams.get("lang");
  const asked = lang !== null && lang.length <= longestTag && languageOf(lang) !== null ? lang : null;
  const browser = wantedLanguages(request.headers.get("accept-language"));
  const wanted = [asked, own, ...browser, ...others].find((tag) => typeof tag === "string" && languageOf(tag) !== null);
  const locale = wanted ?? "en";
  const language = languageOf(locale) ?? "en";
  const zone = timezone ?? "UTC";
  return {
    locale,
    language,
    t: translators[language],
    money: (minorUnits, currency) => formatMoney(minorUnits, currency, locale),
    instant: (at) => format(locale, at, { dateStyle: "long", timeStyle: "short", timeZone: zone }, zone),
    day: (at) => format(locale, at, { dateStyle: "long", timeZone: zone }, null),
    link: (path, query = {}) => {
      const search = new URLSearchParams({ ...query, ...(asked === null ? {} : { lang: asked }) }).toString();
      return search === "" ? path : `${path}?${search}`;
    },
  };
}

const anybody = { locales: [], timezone: null };
const longestTag = 35;

function languageOf(tag: string): Language | null {
  try {
    const { language } = new Intl.Locale(tag);
    return language in languages ? (language as Language) : null;
  } catch {
    return null;
  }
}

function format(locale: string, at: string, options: Intl.DateTimeFormatOptions, zone: string | null): string {
  const text = new Intl.DateTimeFormat(locale, options).format(new Date(at));
  if (zone === null) return text;
  const named = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: "short" });
  const name = named.formatToParts(new Date(at)).find(({ type }) => type === "timeZoneName")?.value;
  // "GMT+0" is what some languages call GMT.
  return name ? `${text} ${name.replace(/\+0$/, "")}` : text;
}

const mostTags = 10;

/** The tags of an Accept-Language header, most wanted first (RFC 9110, 12.5.4). */
function wantedLanguages(header: string | null): string[] {
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
