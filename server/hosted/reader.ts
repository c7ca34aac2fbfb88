// What a hosted page says, in its reader's language, with amounts and dates as that language writes them.
import { createTranslator } from "use-intl/core";
import de from "@/messages/de.json";
import en from "@/messages/en.json";
import { formatMoney } from "@/server/kit/currency";
import { limits } from "@/server/kit/limits";
import { remembered } from "@/server/kit/remembered";
import { type Language, type Locale, localeOf, localeWanted } from "./languages";

const catalogues: Record<Language, Pick<typeof en, "pay">> = { en, de };

/** The words and the formats of one reader. */
export interface Reader {
  /** BCP 47 tag; the page's `lang`. */
  locale: string;
  language: Language;
  t: (typeof translators)[Language];
  money(minorUnits: number, currency: string): string;
  number(value: number): string;
  /** A date with its time and zone, from ISO 8601. */
  instant(at: string): string;
  /** A date alone. */
  day(at: string): string;
  /** `path` with this query, and with the language if the reader asked for one by `?lang`. */
  link(path: string, query?: Readonly<Record<string, string>>): string;
}

type Values = Readonly<Record<string, string | number>>;

/** Says a message with its values. */
type Phrase = (values: Values) => string;

/** A translator that reads each message once: looking it up and parsing it costs far more than putting values in. */
function translatorOf(language: Language) {
  const t = createTranslator({ locale: language, messages: catalogues[language], namespace: "pay" });
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

/** A phrase with plurals or choices, which has few different values. */
function phraseOf(say: Phrase): Phrase {
  const sayOnce = remembered(limits.rememberedFormats, (values) => say(JSON.parse(values)));
  return (values) => sayOnce(JSON.stringify(values));
}

/** A phrase without plurals, choices, formats and quotes; null for a message that has some. */
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

/** What a page is asked with: the query of its address, and the headers. */
export interface Asked {
  readonly query: URLSearchParams;
  readonly headers: { get(name: string): string | null };
}

/** What the object of a page says about its readers: locales in order, and the zone of its dates. */
export interface Preferences {
  readonly locales: readonly (string | null)[];
  readonly timezone: string | null;
}

const anybody: Preferences = { locales: [], timezone: null };
const english: Locale = { tag: "en", language: "en" };

/** The reader of a page: `?lang`, then the request's own language, the browser's, the account's, English. */
export function readerOf(asked: Asked, { locales: [own, ...others], timezone }: Preferences = anybody): Reader {
  const chosen = firstOf([asked.query.get("lang")]);
  const { tag, language } =
    chosen ?? firstOf([own]) ?? localeWanted(asked.headers.get("accept-language")) ?? firstOf(others) ?? english;
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
  // Zones change what they are called on whole quarters of an hour, and taking a date apart costs more than writing it.
  const zoneNameIn = remembered(limits.rememberedFormats, (quarter) => {
    const parts = zoned.formatToParts(Number(quarter) * quarterMs);
    // "GMT+0" is what some languages call GMT.
    return parts.find(({ type }) => type === "timeZoneName")?.value.replace(/\+0$/, "") ?? "";
  });
  return (at: string): string => {
    const time = Date.parse(at);
    return `${whole.format(time)} ${zoneNameIn(String(Math.floor(time / quarterMs)))}`.trimEnd();
  };
});

const quarterMs = 15 * 60_000;
