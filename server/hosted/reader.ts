// The texts of a hosted page in its reader's language, with amounts and dates in that language's format.
import { createTranslator } from "use-intl/core";
import de from "@/messages/de.json";
import en from "@/messages/en.json";
import { formatMoney } from "@/server/kit/currency";
import { defaultLocale, firstLocaleOf, type Language, preferredLocale } from "@/server/kit/languages";
import { formatDay, formatInstant, formatNumber, formatPercent, parsedOnce } from "@/server/kit/phrases";

const catalogs: Record<Language, Pick<typeof en, "pay">> = { en, de };

/** The texts and formats for one reader. */
export interface Reader {
  /** BCP 47 tag; the page's `lang`. */
  locale: string;
  language: Language;
  t: (typeof translators)[Language];
  money(minorUnits: number, currency: string): string;
  number(value: number): string;
  /** Formats a fraction of 1 with up to two decimals: "19%". */
  percent(fraction: number): string;
  /** Formats an ISO 8601 instant as a date with time and zone. */
  instant(at: string): string;
  /** Formats an ISO 8601 instant as a date. */
  day(at: string): string;
  /** `path` with this query, and with the language if the reader chose one by `?lang`. */
  link(path: string, query?: Readonly<Record<string, string>>): string;
}

const translatorOf = (language: Language) =>
  parsedOnce(createTranslator({ locale: language, messages: catalogs[language], namespace: "pay" }));

const translators = { en: translatorOf("en"), de: translatorOf("de") };

/** The parts of a request for a page: the query and the headers. */
export interface PageRequest {
  readonly query: URLSearchParams;
  readonly headers: { get(name: string): string | null };
}

/** The preferences that a page's object states for its readers: locales in order of preference, and a time zone. */
interface Preferences {
  readonly locales: readonly (string | null)[];
  readonly timezone: string | null;
}

const anybody: Preferences = { locales: [], timezone: null };

/**
 * The reader of a page, by `?lang`, then the payment request's language, the browser's, the account's, then English.
 */
export function readerOf(request: PageRequest, { locales: [own, ...others], timezone }: Preferences = anybody): Reader {
  const chosen = firstLocaleOf([request.query.get("lang")]);
  const { tag, language } =
    chosen ??
    firstLocaleOf([own]) ??
    preferredLocale(request.headers.get("accept-language")) ??
    firstLocaleOf(others) ??
    defaultLocale;
  const zone = timezone ?? "UTC";
  return {
    locale: tag,
    language,
    t: translators[language],
    money: (minorUnits, currency) => formatMoney(minorUnits, currency, tag),
    number: (value) => formatNumber(value, tag),
    percent: (fraction) => formatPercent(fraction, tag),
    instant: (at) => formatInstant(at, tag, zone),
    day: (at) => formatDay(at, tag, zone),
    link: (path, query) => {
      if (chosen === null && query === undefined) return path;
      const search = new URLSearchParams(chosen === null ? query : { ...query, lang: chosen.tag }).toString();
      return search === "" ? path : `${path}?${search}`;
    },
  };
}
