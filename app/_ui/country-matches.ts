// Which countries a typed text means.
import { wordsOf } from "@/server/kit/words";
import type { CountryOption } from "../_i18n/country-options";

/** The longest abbreviation of a country: USA. */
const abbreviated = 3;

/**
 * Finds the countries whose names have words that begin with those of a text, in the reader's language or in English.
 * Best first: a code or an abbreviation (GE, UK), the beginning of the name, other words of it, other names.
 */
export function countryFinder(countries: readonly CountryOption[]): (typed: string) => readonly CountryOption[] {
  const folded = countries.map((country) => {
    const [words, others] = [wordsOf(country.label), wordsOf(country.words)];
    const codes = [country.value.toLowerCase(), ...others.filter(({ length }) => length <= abbreviated)];
    return { country, words, name: words.join(" "), all: [...words, ...others], codes };
  });
  return (typed) => {
    const wanted = wordsOf(typed);
    if (wanted.length === 0) return typed.trim() === "" ? countries : [];
    const text = wanted.join(" ");
    const begin = (words: readonly string[]) => wanted.every((part) => words.some((word) => word.startsWith(part)));
    return folded
      .flatMap(({ country, words, name, all, codes }) => {
        const fits = [codes.includes(text), name.startsWith(text), begin(words), begin(all)];
        return fits.includes(true) ? [{ country, at: fits.indexOf(true) }] : [];
      })
      .sort((a, b) => a.at - b.at)
      .map(({ country }) => country);
  };
}
