// The filters of a list as people see them, and how each is written in the address and read from it.
import { dayBefore, dayOf, endOfDay, startOfDay } from "./day-bounds";
import { baseOf, keyOf, type ListQuery } from "./list-query";
import { isCurrency, moneyText, parseMoney } from "./money-text";

export interface FilterOption {
  value: string;
  label: string;
}

/** One filter; `name` is the API's. */
export type FilterField = { name: string; label: string } & (
  | { kind: "text"; maxLength?: number; inputMode?: "email" }
  /** Any of several values. */
  | { kind: "choice"; options: readonly FilterOption[] }
  /** One value. */
  | { kind: "select"; options: readonly FilterOption[] }
  /** `since` begins with a day of the reader's calendar; `until` ends with one, as the instant after it. */
  | { kind: "since" | "until" }
  /** Minor units, typed in the currency that the `currency` filter names, else in this one. */
  | { kind: "atLeast" | "atMost"; currency: string }
  /** `name[key]=value`. */
  | { kind: "entries" }
);

/** How the reader writes days and amounts. */
export interface FilterReader {
  locale: string;
  timeZone: string;
}

/** The currency in which an amount is typed: the chosen one if there is such a currency, else the given one. */
export function currencyOf(given: string, filters: ListQuery["filters"]): string {
  const chosen = filters["currency"]?.toUpperCase() ?? "";
  return isCurrency(chosen) ? chosen : given;
}

/** What stands in the field for what the address says. */
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

/** What the address says for what is typed; what is neither day nor amount is left for the server to refuse by name. */
function written(field: FilterField, text: string, filters: ListQuery["filters"], reader: FilterReader): string {
  switch (field.kind) {
    case "since":
      return startOfDay(text, reader.timeZone) ?? text;
    case "until":
      return endOfDay(text, reader.timeZone) ?? text;
    case "atLeast":
    case "atMost": {
      const parsed = parseMoney(text, currencyOf(field.currency, filters), reader.locale);
      return "amount" in parsed ? String(parsed.amount) : parsed.problem === "zero" ? "0" : text;
    }
    default:
      return text;
  }
}

/** The filters that a form says, over those of the list that it has no fields for. */
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
    else if (text !== "") filters[field.name] = written(field, text, { ...before, ...plain }, reader);
  }
  return filters;
}

/** The keys and values of an entries field, which stand in pairs. */
function entriesOf(name: string, texts: (name: string) => string[]): ListQuery["filters"] {
  const values = texts(`${name}.value`);
  const pairs = texts(`${name}.key`).map((key, index) => [`${name}[${key}]`, values[index] ?? ""] as const);
  return Object.fromEntries(pairs.filter(([key, value]) => keyOf(key) !== "" && value !== ""));
}
