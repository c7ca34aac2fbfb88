// The options of the selects in an account's form, in the reader's language.

import { currencyOptions } from "@/app/_i18n/currency-options";
import { languageName } from "@/app/_i18n/language-name";
import type { AccountChoices, Option } from "./account-form";

/** The languages of the payment pages, with the regions whose number and date formats differ most. */
const languages = [
  ...["en", "en-AU", "en-CA", "en-GB", "en-IE", "en-US", "de", "de-AT", "de-CH", "de-DE"],
  ...["fr", "fr-BE", "fr-CA", "fr-CH", "fr-FR", "es", "es-AR", "es-CO", "es-ES", "es-MX", "es-US"],
  ...["ja", "ar", "ar-AE", "ar-EG", "ar-SA"],
];

/** The options for a reader; the account's current values are always among them. */
export function accountChoices(
  locale: string,
  { language, timeZone }: { language?: string | null; timeZone?: string | null } = {},
): AccountChoices {
  return {
    currencies: currencyOptions(locale),
    languages: languageOptions(
      locale,
      language && !languages.includes(language) ? [...languages, language] : languages,
    ),
    timeZones: [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), ...(timeZone ? [timeZone] : [])])],
  };
}

function languageOptions(locale: string, tags: readonly string[]): Option[] {
  return tags.map((tag) => ({ value: tag, label: languageName(tag, locale) }));
}
