// The texts of a mail in its recipient's language, with amounts and dates in that language's format.
import { createTranslator } from "use-intl/core";
import de from "@/messages/de.json";
import en from "@/messages/en.json";
import es from "@/messages/es.json";
import fr from "@/messages/fr.json";
import { formatMoney } from "@/server/kit/currency";
import {
  defaultLocale,
  firstLocaleOf,
  inEach,
  type Locale,
  type MailLanguage,
  mailLanguages,
} from "@/server/kit/languages";
import { formatDay, formatInstant, parsedOnce } from "@/server/kit/phrases";

const catalogs: Record<MailLanguage, Pick<typeof en, "mail">> = { en, de, fr, es };

const translatorOf = (language: MailLanguage) =>
  parsedOnce(createTranslator({ locale: language, messages: catalogs[language], namespace: "mail" }));

const translators = inEach(mailLanguages, translatorOf);

/** The texts and formats for one recipient. */
export interface MailReader {
  locale: Locale<MailLanguage>;
  t: ReturnType<typeof translatorOf>;
  money(minorUnits: number, currency: string): string;
  /** Formats an instant (epoch milliseconds) as a date with time and zone. */
  instant(at: number): string;
  /** Formats an instant (epoch milliseconds) as a date. */
  day(at: number): string;
}

/** The reader for the first of these locales (BCP 47) that has a catalog, else English; `timezone` defaults to UTC. */
export function mailReaderOf(locales: readonly (string | null)[], timezone: string | null): MailReader {
  const locale = firstLocaleOf(locales, mailLanguages) ?? defaultLocale;
  const zone = timezone ?? "UTC";
  return {
    locale,
    t: translators[locale.language],
    money: (minorUnits, currency) => formatMoney(minorUnits, currency, locale.formats),
    instant: (at) => formatInstant(new Date(at).toISOString(), locale.formats, zone),
    day: (at) => formatDay(new Date(at).toISOString(), locale.formats, zone),
  };
}
