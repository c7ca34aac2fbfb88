// Amounts as people type them: text to minor units and back, in the reader's locale, digit by digit without floats.
import { currencies, currencyDigits, formatMoney } from "@/server/kit/currency";
import { limits } from "@/server/kit/limits";

export { formatMoney };

type MoneyProblem = "empty" | "malformed" | "tooPrecise" | "zero" | "tooLarge";

/** An amount in minor units, or why the text is not one. */
type ParsedMoney = { amount: number } | { problem: MoneyProblem };

interface Marks {
  /** The ten digits of the locale, 0 first. */
  digits: readonly string[];
  decimal: string;
  group: string;
}

/** Spaces and apostrophes separate groups anywhere: no locale uses them for anything else. */
const anyGap = /[\s\u00a0\u202f'’]/g;
const plainNumber = /^(\d*)(?:\.(\d*))?$/;
/** Groups of three digits; or, as in India, of two before the last three. */
const grouped = /^\d{1,3}(\|\d{2,3})*\|\d{3}$/;

/**
 * Reads an amount in the currency `code`: "1.234,56" in German and "1,234.56" in English are both 123456 cents.
 * A separator where the locale has none is refused, never guessed at.
 */
export function parseMoney(text: string, code: string, locale: string): ParsedMoney {
  const bare = text.replace(/\p{Sc}/gu, "").trim();
  if (bare === "") return { problem: "empty" };
  const number = toPlainNumber(bare, marksOf(locale));
  const [, whole = "", fraction = ""] = (number !== null && plainNumber.exec(number)) || [];
  if (whole === "" && fraction === "") return { problem: "malformed" };
  const digits = currencyDigits(code);
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

/** How a typed amount was read, formatted for the reader; null if it is not an amount. */
export function understoodMoney(text: string, code: string, locale: string): string | null {
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

/** The number in Latin digits with a point, or null if the separators are wrong. */
function toPlainNumber(text: string, { digits, decimal, group }: Marks): string | null {
  const latin = [...text].map((character) => {
    const value = digits.indexOf(character);
    return value < 0 ? character : String(value);
  });
  // A separator that the locale does not use can only be a decimal one: people type what their keyboard has.
  const isDecimal = (character: string) => character === decimal || (/[.,٫]/.test(character) && character !== group);
  const marked = latin.map((character) => (isDecimal(character) ? "." : character === group ? "|" : character));
  const joined = marked.join("").replace(anyGap, "");
  const [whole = "", ...fractions] = joined.split(".");
  if (whole.includes("|") && !grouped.test(whole)) return null;
  // A group separator in the fraction, or a second decimal separator, stays and fails to parse later.
  return [whole.replaceAll("|", ""), ...fractions].join(".");
}

function marksOf(locale: string): Marks {
  const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(1234567.8);
  const mark = (type: "decimal" | "group") => parts.find((part) => part.type === type)?.value ?? "";
  const single = new Intl.NumberFormat(locale, { useGrouping: false });
  const digits = Array.from({ length: 10 }, (_, value) => single.format(value));
  return { digits, decimal: mark("decimal") || ".", group: mark("group").replace(anyGap, "") };
}
