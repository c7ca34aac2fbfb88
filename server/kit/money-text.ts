// Amounts as people type them: text to minor units and back, digit by digit without floats.
import { currencies, currencyDigits, formatMoney } from "./currency";
import { limits } from "./limits";
import { plainDigits } from "./plain-digits";

export { formatMoney };

type MoneyProblem = "empty" | "malformed" | "ambiguous" | "tooPrecise" | "zero" | "tooLarge";

/** An amount in minor units, or why the text is not one. */
type ParsedMoney = { amount: number } | { problem: MoneyProblem };

/** A text read with one mark as the decimal mark: its digits before and after that mark. */
interface Reading {
  whole: string;
  fraction: string;
}

/** Spaces and apostrophes separate groups anywhere: no locale uses them for anything else. */
const anyGap = /[\s\u00a0\u202f'’]/g;
const plainNumber = /^(\d*)(?:\.(\d*))?$/;
/** Groups of three digits; or, as in India, of two before the last three. No amount has a group that begins with 0. */
const grouped = /^[1-9]\d{0,2}(\|\d{2,3})*\|\d{3}$/;

/**
 * Reads an amount in the currency `code`. Commas and points are read as the text itself shows: "1.234,56" and
 * "1,234.56" are 123456 cents in every locale, and "249,90" is 24990. Only before exactly three digits, as in "1,234",
 * can a mark be of either kind; then the locale and the currency's decimals decide, or the text is refused.
 */
export function parseMoney(text: string, code: string, locale: string): ParsedMoney {
  const bare = plainDigits(text)
    .replace(/\p{Sc}/gu, "")
    .trim();
  if (bare === "") return { problem: "empty" };
  const digits = currencyDigits(code);
  const read = readNumber(bare, locale, digits);
  if ("problem" in read) return read;
  const { whole, fraction } = read;
  const significant = fraction.replace(/0+$/, "");
  if (significant.length > digits) return { problem: "tooPrecise" };
  const minor = (whole + significant.padEnd(digits, "0")).replace(/^0+/, "");
  if (minor === "") return { problem: "zero" };
  if (minor.length > String(limits.amount).length || Number(minor) > limits.amount) return { problem: "tooLarge" };
  return { amount: Number(minor) };
}

/** Formats an amount so that {@link parseMoney} reads it back in the same locale: no currency sign, no groups. */
export function moneyText(amount: number, code: string, locale: string): string {
  const digits = currencyDigits(code);
  const padded = String(amount).padStart(digits + 1, "0");
  const whole = padded.slice(0, padded.length - digits);
  return digits === 0 ? whole : `${whole}${marksOf(locale).decimal}${padded.slice(-digits)}`;
}

/** How a typed amount was read, formatted for the reader; null if it is not an amount, or there is no such currency. */
export function understoodMoney(text: string, code: string, locale: string): string | null {
  if (!isCurrency(code)) return null;
  const parsed = parseMoney(text, code, locale);
  return "amount" in parsed ? formatMoney(parsed.amount, code, locale) : null;
}

/** The largest amount that can be requested, formatted for the reader. */
export const largestMoney = (code: string, locale: string): string => formatMoney(limits.amount, code, locale);

/** An example of a typed amount: twelve and a half, or twelve in a currency without decimals. */
export function exampleMoney(code: string, locale: string): string {
  const unit = 10 ** currencyDigits(code);
  return moneyText(unit === 1 ? 12 : 12 * unit + unit / 2, code, locale);
}

/** Whether a currency has this code, in upper case. */
export const isCurrency = (code: string): boolean => Object.hasOwn(currencies, code);

/** Digits after the decimal separator in this currency. */
export const decimalsOf = (code: string): number => currencyDigits(code);

/** The only reading of the text, or the one that suits the locale and a currency with this many decimals. */
function readNumber(text: string, locale: string, decimals: number): Reading | { problem: MoneyProblem } {
  const digits = digitsOf(locale);
  const latin = [...text].map((character) => {
    const value = digits.indexOf(character);
    return value < 0 ? character : String(value);
  });
  const joined = latin.join("").replace(anyGap, "").replaceAll("٬", "|").replaceAll("٫", ".").replaceAll("،", ",");
  const point = readingOf(joined.replaceAll(",", "|"));
  // An Arabic decimal mark is a point here, and a text with points and a decimal comma has no such mark.
  const comma = /[٬٫]/.test(text) ? null : readingOf(joined.replaceAll(".", "|").replaceAll(",", "."));
  const only = point ?? comma;
  if (only === null) return { problem: "malformed" };
  if (point === null || comma === null || (point.whole === comma.whole && point.fraction === comma.fraction)) {
    return only;
  }
  // One mark before three digits. A currency with fewer decimals has no such fraction, so the mark separates thousands.
  const mark = joined.includes(",") ? "," : ".";
  const [asDecimal, asGroup] = mark === "." ? [point, comma] : [comma, point];
  const marks = marksOf(locale);
  if (decimals >= 3 && mark === marks.decimal) return asDecimal;
  if (decimals < 3 && mark === marks.group) return asGroup;
  return { problem: "ambiguous" };
}

/** Reads digits with `|` between groups and a decimal point; null if the marks are in the wrong places. */
function readingOf(text: string): Reading | null {
  const [groups = "", ...fractions] = text.split(".");
  if (groups.includes("|") && !grouped.test(groups)) return null;
  // A group mark in the fraction, or a second decimal mark, does not match.
  const [, whole = "", fraction = ""] = plainNumber.exec([groups.replaceAll("|", ""), ...fractions].join(".")) ?? [];
  return whole === "" && fraction === "" ? null : { whole, fraction };
}

/** The ten digits of the locale, 0 first. */
function digitsOf(locale: string): string[] {
  const single = new Intl.NumberFormat(locale, { useGrouping: false });
  return Array.from({ length: 10 }, (_, value) => single.format(value));
}

function marksOf(locale: string): { decimal: string; group: string } {
  const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(1234567.8);
  const mark = (type: "decimal" | "group") => parts.find((part) => part.type === type)?.value ?? "";
  return { decimal: mark("decimal") || ".", group: mark("group").replace(anyGap, "") };
}
