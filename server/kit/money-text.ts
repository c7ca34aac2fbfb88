// Amounts as people type them: text to minor units and back, digit by digit without floats.
import { currencies, currencyDigits, formatMoney } from "./currency";
import { signsOf } from "./currency-signs";
import { limits } from "./limits";
import { decimalMark, type NumberProblem, readTyped } from "./typed-number";

export { formatMoney };

type MoneyProblem = NumberProblem | "zero" | "tooLarge";

/** An amount in minor units, or why the text is not one. */
type ParsedMoney = { amount: number } | { problem: MoneyProblem };

/**
 * Reads an amount in the currency `code`, which may stand before or behind the number, in any case, or one of its signs.
 * Those of another currency are refused. {@link readTyped} says how the number is read.
 */
export function parseMoney(text: string, code: string, locale: string): ParsedMoney {
  const read = readTyped(text, { locale, decimals: currencyDigits(code), signs: signsOf(code, locale) });
  return "problem" in read ? read : amountOf(read.digits);
}

/** An amount of so many minor units, unless it is none or too large. */
export function amountOf(digits: string): ParsedMoney {
  if (digits === "") return { problem: "zero" };
  if (digits.length > String(limits.amount).length || Number(digits) > limits.amount) return { problem: "tooLarge" };
  return { amount: Number(digits) };
}

/** Formats an amount so that {@link parseMoney} reads it back in the same locale: no currency sign, no groups. */
export function moneyText(amount: number, code: string, locale: string): string {
  const digits = currencyDigits(code);
  const padded = String(amount).padStart(digits + 1, "0");
  const whole = padded.slice(0, padded.length - digits);
  return digits === 0 ? whole : `${whole}${decimalMark(locale)}${padded.slice(-digits)}`;
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
