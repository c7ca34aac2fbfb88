// Currencies to choose from.
import { currencies, currentCurrencies } from "@/server/kit/currency";

/**
 * Every currency by its name, the code first, since that is what people type. Only the `current` ones where something new
 * is asked for.
 */
export function currencyOptions(locale: string, only?: "current"): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(locale, { type: "currency" });
  const codes = only ? [...currentCurrencies] : Object.keys(currencies);
  return codes.sort().map((code) => ({ value: code, label: `${code} – ${names.of(code)}` }));
}
