// The options of a country field, and which country is probably meant.
import { expect, test } from "vitest";
import { countryOptions } from "./country-options";

test("countries have the names of the language, and those in English beside", () => {
  expect(countryOptions("de").find(({ value }) => value === "DE")).toEqual({
    ...{ value: "DE", label: "Deutschland", words: "Germany" },
  });
  expect(countryOptions("en").find(({ value }) => value === "DE")).toEqual({ value: "DE", label: "Germany" });
});

test("they are in the order of the language", () => {
  const names = countryOptions("de").map(({ label }) => label);
  expect(names.indexOf("Österreich")).toBe(names.indexOf("Oman") + 1);
});

test.each([
  ["a country", { country: "PT", timeZone: "Europe/Berlin", locale: "fr-FR" }, "PT"],
  ["a time zone", { timeZone: "Europe/Berlin", locale: "fr-FR" }, "DE"],
  ["the zone of two countries' only one", { timeZone: "Europe/Vienna" }, "AT"],
  ["a zone of no country", { timeZone: "UTC", locale: "de-CH" }, "CH"],
  ["a language with a region", { locale: "en-AU" }, "AU"],
  ["a language alone", { locale: "de" }, "AF"],
  ["nothing", {}, "AF"],
])("%s decides which comes first", (_, hints, code) => {
  expect(countryOptions("en", hints)[0]?.value).toBe(code);
});
