// Currencies to choose from.
import { currencies } from "@/server/kit/currency";

/** Every currency by its name, the code first, since that is what people type. */
export function currencyOptions(locale: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(locale, { type: "currency" });
  const codes = Object.keys(currencies).sort();
  return codes.map((code) => ({ value: code, label: `${code} – ${names.of(code)}` }));
}
