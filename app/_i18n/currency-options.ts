// The options of a currency field, and their names.
import { currencies, currentCurrencies } from "@/server/kit/currency";

/**
 * Every currency by name, the code first, since people type the code. Only the `current` ones where new money is
 * requested or recorded.
 */
export function currencyOptions(locale: string, only?: "current"): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(locale, { type: "currency" });
  const codes = only ? [...currentCurrencies] : Object.keys(currencies);
  return codes.sort().map((value) => ({ value, label: labelOf(value, names) }));
}

/** A currency as its option: "EUR – Euro". */
export const currencyLabel = (code: string, locale: string): string =>
  labelOf(code, new Intl.DisplayNames(locale, { type: "currency" }));

const labelOf = (code: string, names: Intl.DisplayNames): string => `${code} – ${names.of(code)}`;
