// The options of a country field, and which country is probably meant.
import { countryCodes } from "@/server/kit/countries";

export interface CountryOption {
  /** ISO 3166-1 alpha-2. */
  value: string;
  /** Its name in the reader's language. */
  label: string;
  /** Its name in English and other names that people type; absent if there are none. */
  words?: string;
}

/** Abbreviations and names that are common, but not the ones of CLDR. */
const otherNames: Readonly<Record<string, string>> = {
  AE: "UAE",
  CI: "Ivory Coast",
  CV: "Cabo Verde",
  CZ: "Czech Republic",
  GB: "UK Great Britain England Scotland Wales Northern Ireland",
  KN: "Saint Kitts and Nevis",
  LC: "Saint Lucia",
  MO: "Macau",
  NL: "Holland",
  PS: "Palestine",
  RU: "Russian Federation",
  SZ: "Swaziland",
  TL: "East Timor",
  TR: "Turkey",
  VC: "Saint Vincent",
  VN: "Viet Nam",
  US: "USA America",
};

export interface Hints {
  country?: string | null | undefined;
  timeZone?: string | null | undefined;
  /** A BCP 47 tag. Only its region tells a country: German is spoken in several. */
  locale?: string | null | undefined;
}

/** Every country by name in the language, in its order; first the one that the hints suggest. */
export function countryOptions(language: string, hints: Hints = {}): CountryOption[] {
  const own = new Intl.DisplayNames(language, { type: "region" });
  const english = new Intl.DisplayNames("en", { type: "region" });
  const { compare } = new Intl.Collator(language);
  const guess = countryOf(hints);
  return countryCodes
    .map((value) => {
      const label = own.of(value) ?? value;
      const words = [english.of(value), otherNames[value]].filter((name) => name && name !== label).join(" ");
      return words === "" ? { value, label } : { value, label, words };
    })
    .sort((a, b) => Number(b.value === guess) - Number(a.value === guess) || compare(a.label, b.label));
}

/** The country that the most certain hint names; null if none does. */
function countryOf({ country, timeZone, locale }: Hints): string | null {
  if (country) return country;
  const ofZone = timeZone && countriesOfZones().get(timeZone);
  return ofZone || ((locale && new Intl.Locale(locale).region) ?? null);
}

let zones: Map<string, string> | undefined;

/** The country of each time zone. Takes about 0.1 s, once. */
function countriesOfZones(): ReadonlyMap<string, string> {
  zones ??= new Map(countryCodes.flatMap((code) => timeZonesOf(code).map((zone) => [zone, code])));
  return zones;
}

/** The time zones of a country: a getter in older engines, a function in newer ones. */
function timeZonesOf(code: string): readonly string[] {
  const region = new Intl.Locale(`und-${code}`) as { timeZones?: string[]; getTimeZones?(): string[] };
  return region.getTimeZones?.() ?? region.timeZones ?? [];
}
