// An amount as a search text: "12.50" and "12,50 €" are 1250 in currencies with two decimals, 12500 in those with three.
import { currencies } from "@/server/kit/currency";
import { parseMoney } from "@/server/kit/money-text";

/** What the text is in the currencies that have so many decimals, in minor units. */
export interface SearchedAmount {
  amount: number;
  currencies: readonly string[];
}

/** With a decimal mark: a whole number is more often an order number than an amount. */
const withMark = /^\p{Sc}?\s?\d[\d\s.,'’]*[.,]\d{1,4}\s?\p{Sc}?$/u;

/** Their decimal marks differ, and a search text can have either. */
const locales = ["en", "de"];

/** The currencies with each number of decimals. */
const alike = [...new Set(Object.values(currencies))].map((decimals) =>
  Object.keys(currencies).filter((code) => currencies[code] === decimals),
);

/** The amounts that the text can be; none if it is something else. */
export function searchedAmounts(text: string): SearchedAmount[] {
  if (!withMark.test(text)) return [];
  return alike.flatMap((codes) => {
    const read = locales.map((locale) => parseMoney(text, codes[0] ?? "", locale));
    const amounts = new Set(read.flatMap((one) => ("amount" in one ? one.amount : [])));
    return [...amounts].map((amount) => ({ amount, currencies: codes }));
  });
}
