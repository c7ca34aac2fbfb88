// The texts of a hosted page in its reader's language, with amounts and dates in that language's format.
import { createTranslator } from "use-intl/core";
import de from "@/messages/de.json";
import en from "@/messages/en.json";
import { formatMoney } from "@/server/kit/currency";
import { limits } from "@/server/kit/limits";
import { remembered } from "@/server/kit/remembered";
import { type Language, type Locale, localeOf, preferredLocale } from "./languages";

const catalogs: Record<Language, Pick<typeof en, "pay">> = { en, de };

/** The texts and formats for one reader. */
export interface Reader {
  /** BCP 47 tag; the page's `lang`. */
  locale: string;
  language: Language;
  t: (typeof translators)[Language];
  money(minorUnits: number, currency: string): string;
  number(value: number): string;
  /** Formats an ISO 8601 instant as a date with time and zone. */
  instant(at: string): string;
  /** Formats an ISO 8601 instant as a date. */
  day(at: string): string;
  /** `path` with this query, and with the language if the reader chose one by `?lang`. */
  link(path: string, query?: Readonly<Record<string, string>>): string;
}

type Values = Readonly<Record<string, string | number>>;

/** Formats a message with its values. */
type Phrase = (values: Values) => string;

/** A translator that parses each message once: finding and parsing it costs far more than inserting values. */
function translatorOf(language: Language) {
  const t = createTranslator({ locale: language, messages: catalogs[language], namespace: "pay" });
  const phrases = new Map<string, Phrase>();
  const translate = (key: Parameters<typeof t>[0], values: Values = {}): string => {
    let phrase = phrases.get(key);
    if (!phrase) {
      phrase = simplePhrase(t.raw(key)) ?? phraseOf((given) => t(key, given as never));
      phrases.set(key, phrase);
    }
    return phrase(values);
  };
  return translate as typeof t;
}

/** A message with plurals or options, which has few different values. */
function phraseOf(say: Phrase): Phrase {
  const sayOnce = remembered(limits.rememberedFormats, (values) => say(JSON.parse(values)));
  return (values) => sayOnce(JSON.stringify(values));
}

/** A message without plurals, options, formats and quotes; null for any other. */
function simplePhrase(message: string): Phrase | null {
  const [first = "", ...rest] = message.split(/\{(\w+)\}/);
  if (/[{}'<]/.test(message.replaceAll(/\{\w+\}/g, ""))) return null;
  return (values) => {
    let text = first;
    for (let i = 0; i < rest.length; i += 2) text += `${values[rest[i] ?? ""]}${rest[i + 1]}`;
    return text;
  };
}

const translators = { en: translatorOf("en"), de: translatorOf("de") };

/** The parts of a request for a page: the query and the headers. */
export interface PageRequest {
  readonly query: URLSearchParams;
  readonly headers: { get(name: string): string | null };
}

/** The preferences that a page's object states for its readers: locales in order of preference, and a time zone. */
export interface Preferences {
  readonly locales: readonly (string | null)[];
  readonly timezone: string | null;
}

const anybody: Preferences = { locales: [], timezone: null };
const english: Locale = { tag: "en", language: "en" };

/**
 * The reader of a page, by `?lang`, then the payment request's language, the browser's, the account's, then English.
 */
export function readerOf(request: PageRequest, { locales: [own, ...others], timezone }: Preferences = anybody): Reader {
  const chosen = firstOf([request.query.get("lang")]);
  const { tag, language } =
    chosen ?? firstOf([own]) ?? preferredLocale(request.headers.get("accept-language")) ?? firstOf(others) ?? english;
  const zone = timezone ?? "UTC";
  return {
    locale: tag,
    language,
    t: translators[language],
    money: (minorUnits, currency) => formatMoney(minorUnits, currency, tag),
    number: (value) => numberFormatOf(tag).format(value),
    instant: (at) => instantFormatOf(`${tag} ${zone}`)(at),
    day: (at) => dayFormatOf(`${tag} ${zone}`).format(new Date(at)),
    link: (path, query) => {
      if (chosen === null && query === undefined) return path;
      const search = new URLSearchParams(chosen === null ? query : { ...query, lang: chosen.tag }).toString();
      return search === "" ? path : `${path}?${search}`;
    },
  };
}

function firstOf(tags: readonly (string | null | undefined)[]): Locale | null {
  for (const tag of tags) {
    const locale = tag ? localeOf(tag) : null;
    if (locale) return locale;
  }
  return null;
}

const numberFormatOf = remembered(limits.rememberedFormats, (locale) => new Intl.NumberFormat(locale));

const dayFormatOf = remembered(limits.rememberedFormats, (key) => {
  const [locale, timeZone] = key.split(" ");
  return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone });
});

const instantFormatOf = remembered(limits.rememberedFormats, (key) => {
  const [locale, timeZone] = key.split(" ");
  const whole = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", timeZone });
  const zoned = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: "short" });
  // A zone's name changes only at a full quarter of an hour, and formatting to parts is costly.
  const zoneNameIn = remembered(limits.rememberedFormats, (quarter) => {
    const parts = zoned.formatToParts(Number(quarter) * quarterMs);
    // Some languages call GMT "GMT+0".
    return parts.find(({ type }) => type === "timeZoneName")?.value.replace(/\+0$/, "") ?? "";
  });
  return (at: string): string => {
    const time = Date.parse(at);
    return `${whole.format(time)} ${zoneNameIn(String(Math.floor(time / quarterMs)))}`.trimEnd();
  };
});

const quarterMs = 15 * 60_000;
