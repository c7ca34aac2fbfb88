// An amount as the product writes it is found as a search text, in each of its languages.
import { expect, it } from "vitest";
import { currentCurrencies, formatMoney } from "./currency";
import { pageLanguages } from "./languages";
import { searchedAmounts } from "./searched-amount";

const locales = [...pageLanguages, "fr-CA", "fr-CH", "es-MX", "de-CH", "ar-KW"];

it.each(locales)("what is written in %s is read back, in every currency", (locale) => {
  const lost: string[] = [];
  for (const currency of currentCurrencies) {
    for (const amount of [1200, 1_234_567, -1_234_567]) {
      const text = formatMoney(amount, currency, locale);
      const isFound = searchedAmounts(text).some(
        (one) => one.amount === Math.abs(amount) && one.isNegative === amount < 0 && one.currencies.includes(currency),
      );
      if (!isFound) lost.push(`${currency}: ${text}`);
    }
  }
  expect(lost).toEqual([]);
});
