// The filters of a list as people see them, and their parameters in the address.

import { dayBefore, dayOf, endOfDay, startOfDay } from "./day-bounds";
import { baseOf, inOneCurrency, keyOf, type ListQuery } from "./list-query";
import { isCurrency, moneyText, parseMoney } from "./money-text";

export interface FilterOption {
  value: string;
  label: string;
}

/** One filter; `name` is the API's name for it. */
export type FilterField = {
  name: string;
  label: string;
} & (
  | {
      kind: "text";
      maxLength?: number;
      inputMode?: "email" | "numeric";
      /** What the chip shows instead of the id that is the filter's value. */
      named?: { label: string; value: string } | null;
    }
  /** Any of several values. */
  | { kind: "choice"; options: readonly FilterOption[] }
  /** One value. */
  | { kind: "select"; options: readonly FilterOption[] }
  /** One currency. The browser lists them, because their 150 names would be a fifth of what a list sends. */
  | { kind: "currency" }
  /** Both take a day of the reader's calendar: `since` is its first instant, `until` the instant after its end. */
  | { kind: "since" | "until" }
  /** Minor units, typed in the currency of the `currency` filter; without one, this is chosen with the amount. */
  | { kind: "atLeast" | "atMost"; currency: string }
  /** `name[key]=value`. */
  | { kind: "entries" }
);

/** How the reader's days and amounts are formatted. */
export interface FilterReader {
  locale: string;
  timeZone: string;
}

/** The currency of a typed amount: the chosen one if it exists, otherwise the given one. */
export function currencyOf(given: string, filters: ListQuery["filters"]): string {
  const chosen = filters["currency"]?.toUpperCase() ?? "";
  return isCurrency(chosen) ? chosen : given;
}

/** The text of a field for a parameter of the address. */
export function typedOf(field: FilterField, filters: ListQuery["filters"], reader: FilterReader): string {
  const value = filters[field.name] ?? "";
  switch (field.kind) {
    case "since":
      return dayOf(value, reader.timeZone);
    case "until":
      return dayBefore(value, reader.timeZone);
    case "atLeast":
    case "atMost":
      return /^\d{1,15}$/.test(value)
        ? moneyText(Number(value), currencyOf(field.currency, filters), reader.locale)
        : value;
    default:
      return value;
  }
}

/** The minor units of a typed bound; null if it is not an amount. */
function boundOf(text: string, currency: string, locale: string): number | null {
  const parsed = parseMoney(text, currency, locale);
  return "amount" in parsed ? parsed.amount : parsed.problem === "zero" ? 0 : null;
}

/** Whether the lower of two typed bounds is larger than the upper one. */
export function areReversed(from: string, to: string, currency: string, locale: string): boolean {
  const [least, most] = [boundOf(from, currency, locale), boundOf(to, currency, locale)];
  return least !== null && most !== null && least > most;
}

/** The parameter for a typed text. Anything but a day or an amount is passed on, and the server refuses it by name. */
function parameterOf(field: FilterField, text: string, filters: ListQuery["filters"], reader: FilterReader): string {
  switch (field.kind) {
    case "since":
      return startOfDay(text, reader.timeZone) ?? text;
    case "until":
      return endOfDay(text, reader.timeZone) ?? text;
    case "atLeast":
    case "atMost":
      return String(boundOf(text, currencyOf(field.currency, filters), reader.locale) ?? text);
    default:
      return text;
  }
}

/** The currency in which the list's amounts are typed until the reader chooses one. */
const currencyFor = (fields: readonly FilterField[]): string | undefined =>
  fields.flatMap((field) => (field.kind === "atLeast" || field.kind === "atMost" ? [field.currency] : []))[0];

/** The filters of a submitted form, added to those of the address for which the form has no fields. */
export function filtersOf(
  fields: readonly FilterField[],
  before: ListQuery["filters"],
  form: FormData,
  reader: FilterReader,
): ListQuery["filters"] {
  const texts = (name: string) => form.getAll(name).map((text) => String(text).trim());
  const own = new Set(fields.map(({ name }) => name));
  const filters = Object.fromEntries(Object.entries(before).filter(([name]) => !own.has(baseOf(name))));
  const plain = Object.fromEntries(fields.map(({ name }) => [name, texts(name).filter(Boolean).join(",")]));
  for (const field of fields) {
    const text = plain[field.name] ?? "";
    if (field.kind === "entries") Object.assign(filters, entriesOf(field.name, texts));
    else if (text !== "")
      filters[field.name] =
        sameInstant(field, text, before, reader) ?? parameterOf(field, text, { ...before, ...plain }, reader);
  }
  const currency = currencyFor(fields);
  return currency === undefined ? filters : inOneCurrency(filters, currency);
}

/** The parameter of a date filter whose day the reader left as it was: a link may name an instant within the day. */
function sameInstant(field: FilterField, text: string, before: ListQuery["filters"], reader: FilterReader) {
  const isDay = field.kind === "since" || field.kind === "until";
  return isDay && text === typedOf(field, before, reader) ? before[field.name] : undefined;
}

/** The keys and values of an entries field, which come in pairs. */
function entriesOf(name: string, texts: (name: string) => string[]): ListQuery["filters"] {
  const values = texts(`${name}.value`);
  const pairs = texts(`${name}.key`).map((key, index) => [`${name}[${key}]`, values[index] ?? ""] as const);
  return Object.fromEntries(pairs.filter(([key, value]) => keyOf(key) !== "" && value !== ""));
}
