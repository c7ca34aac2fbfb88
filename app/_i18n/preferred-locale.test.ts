// Which locale formats a reader's numbers and dates.
import { expect, test } from "vitest";
import { preferredLocale } from "./preferred-locale";

test.each([
  [null, "en"],
  ["", "en"],
  ["*", "en"],
  ["de-DE,de;q=0.9,en;q=0.8", "de-DE"],
  ["en;q=0.5, fr-CA", "fr-CA"],
  ["xx-not-a-locale-at-all!, de", "de"],
  ["de;q=0, fr;q=0.1", "fr"],
  ["de;q=nonsense, sv", "sv"],
])("%j asks for %s", (header, locale) => {
  expect(preferredLocale(header)).toBe(locale);
});
