// The options of a currency field.
import { currencies, currentCurrencies } from "@/server/kit/currency";

/**
 * Every currency by name, the code first, since people type the code. Only the `current` ones where new money is
 * requested or recorded.
 */
export function currencyOptions(locale: string, only?: "current"): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(locale, { type: "currency" });
  const codes = only ? [...currentCurrencies] : Object.keys(currencies);
  return codes.sort().map((code) => ({ value: code, label: `${code} – ${names.of(code)}` }));
}
