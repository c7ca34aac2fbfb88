// Which countries a typed text means.
import { expect, test } from "vitest";
import { wordsOf } from "@/server/kit/words";
import { countryOptions } from "../_i18n/country-options";
import { isCountry } from "./address-fields";
import { countryFinder } from "./country-matches";
import { isMatch } from "./offered-options";

const english = countryOptions("en");
const [inEnglish, inGerman] = [countryFinder(english), countryFinder(countryOptions("de"))];
/** The code that Enter chooses. */
const first = (find: typeof inEnglish, typed: string) => find(typed)[0]?.value;

test.each([
  ["Germany", "DE"],
  ["germany", "DE"],
  ["DE", "DE"],
  ["GE", "GE"],
  ["Ireland", "IE"],
  ["Austria", "AT"],
  ["Spain", "ES"],
  ["Denmark", "DK"],
  ["Netherlands", "NL"],
  ["Holland", "NL"],
  ["Northern Ireland", "GB"],
  ["Ivory Coast", "CI"],
  ["Macau", "MO"],
  ["UAE", "AE"],
  ["Swaziland", "SZ"],
  ["East Timor", "TL"],
  ["Palestine", "PS"],
  ["Viet Nam", "VN"],
  ["Russian Federation", "RU"],
  ["Cabo Verde", "CV"],
  ["Saint Lucia", "LC"],
  ["Niger", "NE"],
  ["Guinea", "GN"],
  ["Dominica", "DM"],
  ["Georgia", "GE"],
  ["UK", "GB"],
  ["usa", "US"],
  ["Aland", "AX"],
  ["turkey", "TR"],
])("in English, %s means %s", (typed, code) => {
  expect(first(inEnglish, typed)).toBe(code);
});

test.each([
  ["Deutschland", "DE"],
  ["Germany", "DE"],
  ["Österreich", "AT"],
  ["oesterreich", undefined],
  ["osterr", "AT"],
  ["Austria", "AT"],
  ["Schweiz", "CH"],
  ["Switzerland", "CH"],
  ["Griechenland", "GR"],
  ["GB", "GB"],
])("in German, %s means %s", (typed, code) => {
  expect(first(inGerman, typed)).toBe(code);
});

test("at each moment of typing a name, Enter chooses a country that begins with what is typed, or has that code", () => {
  // No name comes before the one that begins it: Niger before Nigeria.
  for (const { label, value } of english) {
    for (let length = 1; length <= label.length; length++) {
      const typed = label.slice(0, length);
      const [chosen] = inEnglish(typed);
      const isRight =
        chosen?.value.toLowerCase() === wordsOf(typed).join("") || (chosen !== undefined && isMatch(chosen, typed));
      expect([typed, isRight]).toEqual([typed, true]);
    }
    expect(first(inEnglish, label)).toBe(value);
  }
});

test("a text that names no country offers none, an empty one offers all", () => {
  expect(inEnglish("Atlantis")).toEqual([]);
  expect(inEnglish("%")).toEqual([]);
  expect(inEnglish(" ")).toHaveLength(english.length);
});

test("only a code that exists is a country", () => {
  expect(["", "DE", "GE"].every(isCountry)).toBe(true);
  for (const text of ["Ge", "SP", "de", "Germany", " DE"]) expect([text, isCountry(text)]).toEqual([text, false]);
});
