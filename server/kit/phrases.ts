// Texts and formats for readers outside the dashboard: messages that are parsed once, dates and numbers by locale.
import { limits } from "./limits";
import { remembered } from "./remembered";

type Values = Readonly<Record<string, string | number>>;

/** Formats a message with its values. */
type Phrase = (values: Values) => string;

/** A translator of use-intl, of any part of the catalog. */
interface Translator<Key> {
  (key: Key, values?: never): string;
  /** The message; no string within the app, whose build parses messages. */
  raw(key: Key): unknown;
}

/** A translator that parses each message once: finding and parsing it costs far more than inserting values. */
export function parsedOnce<T>(translator: T): T {
  const t = translator as Translator<string>;
  const phrases = new Map<string, Phrase>();
  const translate = (key: string, values: Values = {}): string => {
    let phrase = phrases.get(key);
    if (!phrase) {
      phrase = simplePhrase(t.raw(key)) ?? phraseOf((given) => t(key, given as never));
      phrases.set(key, phrase);
    }
    return phrase(values);
  };
  return translate as T;
}

/** A message with plurals or options, which has few different values. */
function phraseOf(say: Phrase): Phrase {
  const sayOnce = remembered(limits.rememberedFormats, (values) => say(JSON.parse(values)));
  return (values) => sayOnce(JSON.stringify(values));
}

/** A message without plurals, options, formats and quotes; null for any other. */
function simplePhrase(message: unknown): Phrase | null {
  if (typeof message !== "string") return null;
  const [first = "", ...rest] = message.split(/\{(\w+)\}/);
  if (/[{}'<]/.test(message.replaceAll(/\{\w+\}/g, ""))) return null;
  return (values) => {
    let text = first;
    for (let i = 0; i < rest.length; i += 2) text += `${values[rest[i] ?? ""]}${rest[i + 1]}`;
    return text;
  };
}

const numberFormatOf = remembered(limits.rememberedFormats, (locale) => new Intl.NumberFormat(locale));

/** Formats a number for a locale (BCP 47). */
export const formatNumber = (value: number, locale: string): string => numberFormatOf(locale).format(value);

const percentFormatOf = remembered(
  limits.rememberedFormats,
  (locale) => new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 2 }),
);

/** Formats a fraction of 1 as a percentage for a locale (BCP 47): "19%". */
export const formatPercent = (fraction: number, locale: string): string => percentFormatOf(locale).format(fraction);

const dayFormatOf = remembered(limits.rememberedFormats, (key) => {
  const [locale, timeZone] = key.split(" ");
  return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone });
});

/** Formats an ISO 8601 instant as a date in a time zone (IANA). */
export const formatDay = (at: string, locale: string, timeZone: string): string =>
  dayFormatOf(`${locale} ${timeZone}`).format(new Date(at));

const calendarFormatOf = remembered(limits.rememberedFormats, (timeZone) => {
  return new Intl.DateTimeFormat("en", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
});

/** The day of an ISO 8601 instant in a time zone (IANA): "2026-11-20" (ISO 8601). */
export function calendarDay(at: string, timeZone: string): string {
  const parts = calendarFormatOf(timeZone).formatToParts(Date.parse(at));
  const [year, month, day] = ["year", "month", "day"].map((name) => parts.find(({ type }) => type === name)?.value);
  return `${year}-${month}-${day}`;
}

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

/** Formats an ISO 8601 instant as a date with time and zone, in a time zone (IANA). */
export const formatInstant = (at: string, locale: string, timeZone: string): string =>
  instantFormatOf(`${locale} ${timeZone}`)(at);
