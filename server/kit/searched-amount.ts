// An amount as a search text: "12.50" and "12,50 €" are 1250 in currencies with two decimals, 12500 in those with three.
import { currencies } from "./currency";
import { plainSign, signsByCode } from "./currency-signs";
import { amountOf } from "./money-text";
import { readTyped, signIn } from "./typed-number";

/** What the text is in some currencies. */
export interface SearchedAmount {
  /** Minor units. */
  amount: number;
  currencies: readonly string[];
  /** Whether it has a minus sign, as lists show what went out. */
  isNegative: boolean;
}

/** Their marks differ, and a search text can have either; the last one groups as in India. */
const locales = ["en", "de", "en-IN"];

/** The codes of the currencies with each sign. A code is a sign too. */
const codesBySign = new Map<string, string[]>();
for (const code of Object.keys(currencies)) {
  for (const sign of [code, ...(signsByCode.get(code) ?? [])]) {
    codesBySign.set(sign, [...(codesBySign.get(sign) ?? []), code]);
  }
}
const signs = [...codesBySign.keys()];

const decimalCounts = [...new Set(Object.values(currencies))];

/**
 * The amounts that the text can be; none if it is something else. Digits alone are more often an order number, and an
 * amount only where they `mayBeDigits`: without a currency, they may then be an amount in whole units of any.
 */
export function searchedAmounts(text: string, { mayBeDigits = false } = {}): SearchedAmount[] {
  const plain = plainSign(text.trim());
  const isDigits = /^\d+$/.test(plain);
  if (!/\d/.test(plain) || (isDigits && !mayBeDigits)) return [];
  const sign = signIn(plain.replace(/^[-\u2212\u2013]\s*/, ""), signs);
  const codes = sign === null ? Object.keys(currencies) : (codesBySign.get(sign) ?? []);
  // With thousands but without decimals and a currency, it is as the list shows currencies without decimals.
  const isWhole = !isDigits && sign === null && !/[.,\u066b]\d{1,4}$/.test(plain);
  return decimalCounts.flatMap((decimals) => {
    const alike = codes.filter((code) => currencies[code] === decimals);
    if (alike.length === 0 || (isWhole && decimals > 0)) return [];
    const expected = { decimals, signs: sign === null ? [] : [sign], mayBeNegative: true };
    const read = locales.map((locale) => readTyped(text, { ...expected, locale }));
    const amounts = new Map(read.flatMap((one) => ("digits" in one ? [[one.digits, one.isNegative] as const] : [])));
    return [...amounts].flatMap(([digits, isNegative]) => {
      const parsed = amountOf(digits);
      return "amount" in parsed ? { amount: parsed.amount, currencies: alike, isNegative } : [];
    });
  });
}
