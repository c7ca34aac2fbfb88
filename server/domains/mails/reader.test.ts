// In which language a mail is written, and how it writes amounts and dates.
import { expect, test } from "vitest";
import { mailReaderOf } from "./reader";

test.each([
  [["fr-CA", "de"], "fr-CA", "Bonjour"],
  [["es"], "es", "Hola"],
  [["ja", "de-AT"], "de-AT", "Guten Tag"],
  [["ar-SA", null], "en", "Hello"],
  [[null], "en", "Hello"],
])("a recipient with the locales %j reads %s", (locales, tag, greeting) => {
  const reader = mailReaderOf(locales, null);
  expect(reader.locale.tag).toBe(tag);
  expect(reader.t("greeting")).toContain(greeting);
});

test("amounts and dates follow the locale", () => {
  const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");
  const french = mailReaderOf(["fr"], "Europe/Paris");
  expect(plain(french.money(124900, "EUR"))).toBe("1 249,00 €");
  expect(french.day(Date.parse("2026-11-20T23:30:00Z"))).toBe("21 novembre 2026");
  expect(mailReaderOf(["es-MX"], null).money(124900, "MXN")).toBe("$1,249.00");
});
