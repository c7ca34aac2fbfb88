// In which language a reader gets the dashboard.
import { expect, test } from "vitest";
import { languageFor } from "./catalogs";

test.each([
  [null, null, "en"],
  [null, "de-AT,de;q=0.9,en;q=0.8", "de"],
  [null, "fr-CA, de;q=0.3", "de"],
  [null, "fr-CA", "en"],
  ["de-CH", "en-US", "de"],
  ["en-GB", "de", "en"],
  ["fr", "de", "de"],
  ["fr", null, "en"],
] as const)("a user with locale %j whose browser asks for %j reads %s", (own, header, language) => {
  expect(languageFor(own, header)).toBe(language);
});
