// The texts of a hosted page in its reader's language, with amounts and dates in that language's format.
import { createTranslator } from "use-intl/core";
import ar from "@/messages/ar.json";
import de from "@/messages/de.json";
import en from "@/messages/en.json";
import es from "@/messages/es.json";
import fr from "@/messages/fr.json";
import ja from "@/messages/ja.json";
import { formatMoney } from "@/server/kit/currency";
import {
  defaultLocale,
  firstLocaleOf,
  inEach,
  type Language,
  pageLanguages,
  preferredLocale,
} from "@/server/kit/languages";
import { formatDay, formatInstant, formatNumber, formatPercent, parsedOnce } from "@/server/kit/phrases";
import { formatQuantity } from "@/server/kit/units";

const catalogs: Record<Language, Pick<typeof en, "pay">> = { en, de, fr, es, ja, ar };

/** The texts and formats for one reader. */
export interface Reader {
  /** BCP 47 tag; the page's `lang`. */
  locale: string;
  /** BCP 47 tag by which amounts are written and read. */
  formats: string;
  language: Language;
  t: ReturnType<typeof translatorOf>;
  money(minorUnits: number, currency: string): string;
  number(value: number): string;
  /** Formats a quantity of a unit of UN/ECE Recommendation 20: "3 kg"; that of pieces as a number. */
  quantity(value: number, unit: string): string;
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

const translators = inEach(pageLanguages, translatorOf);

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
 * The reader of a page, by `?lang`, then the payment request's language, the browser's, the account's, then English:
 * the first that is one of `among`.
 */
export function readerOf(
  request: PageRequest,
  { locales: [own, ...others], timezone }: Preferences = anybody,
  among: readonly Language[] = pageLanguages,
): Reader {
  const chosen = firstLocaleOf([request.query.get("lang")], pageLanguages);
  const { tag, language, formats } =
    firstLocaleOf([chosen?.tag, own], among) ??
    preferredLocale(request.headers.get("accept-language"), among) ??
    firstLocaleOf(others, among) ??
    defaultLocale;
  const zone = timezone ?? "UTC";
  return {
    locale: tag,
    formats,
    language,
    t: translators[language],
    money: (minorUnits, currency) => formatMoney(minorUnits, currency, formats),
    number: (value) => formatNumber(value, formats),
    quantity: (value, unit) => formatQuantity(value, unit, formats),
    percent: (fraction) => formatPercent(fraction, formats),
    instant: (at) => formatInstant(at, formats, zone),
    day: (at) => formatDay(at, formats, zone),
    link: (path, query) => {
      if (chosen === null && query === undefined) return path;
      const search = new URLSearchParams(chosen === null ? query : { ...query, lang: chosen.tag }).toString();
      return search === "" ? path : `${path}?${search}`;
    },
  };
}
