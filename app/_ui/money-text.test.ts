// Typed amounts: every locale's separators, every currency's digits, and a round trip for all of them.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { currencies } from "@/server/kit/currency";
import { limits } from "@/server/kit/limits";
import { formatMoney, moneyText, parseMoney } from "./money-text";

describe("parsing uses the locale's separators", () => {
  test.each([
    ["1,234.56", "EUR", "en", 123456],
    ["1.234,56", "EUR", "de", 123456],
    ["1 234,56", "EUR", "fr", 123456],
    ["1\u202f234,56", "EUR", "fr", 123456],
    ["1’234.56", "CHF", "de-CH", 123456],
    ["1'234.56", "CHF", "de-CH", 123456],
    ["12,34,567.8", "INR", "en-IN", 123456780],
    ["١٬٢٣٤٫٥٦", "EUR", "ar-EG", 123456],
    ["1.234", "EUR", "de", 123400],
    ["1,234", "USD", "en", 123400],
    ["1234", "JPY", "ja", 1234],
    ["1.5", "KWD", "en", 1500],
    ["0.0001", "CLF", "en", 1],
    ["0.10", "EUR", "en", 10],
    [".5", "EUR", "en", 50],
    ["5.", "EUR", "en", 500],
    [" € 12.50 ", "EUR", "en", 1250],
    ["007", "EUR", "en", 700],
    ["1.500", "EUR", "en", 150],
  ])("%s %s in %s", (text, code, locale, amount) => {
    expect(parseMoney(text, code, locale)).toEqual({ amount });
  });

  test("a separator that the locale does not use is a decimal separator", () => {
    expect(parseMoney("12.50", "EUR", "fr")).toEqual({ amount: 1250 });
    expect(parseMoney("12,50", "CHF", "de-CH")).toEqual({ amount: 1250 });
  });
});

describe("an invalid amount is refused with its reason", () => {
  test.each([
    ["", "EUR", "en", "empty"],
    ["  € ", "EUR", "en", "empty"],
    ["ten", "EUR", "en", "malformed"],
    ["-5", "EUR", "en", "malformed"],
    ["1e3", "EUR", "en", "malformed"],
    ["1.2.3", "EUR", "en", "malformed"],
    ["1,2,3", "EUR", "en", "malformed"],
    ["12,5", "EUR", "en", "malformed"],
    ["1.234,56", "EUR", "en", "malformed"],
    ["1,234.56", "EUR", "de", "malformed"],
    ["1,234,56", "EUR", "en", "malformed"],
    [".", "EUR", "en", "malformed"],
    ["1.234", "EUR", "en", "tooPrecise"],
    ["1.5", "JPY", "en", "tooPrecise"],
    ["1.2345", "KWD", "en", "tooPrecise"],
    ["0", "EUR", "en", "zero"],
    ["0.00", "EUR", "en", "zero"],
    ["10000000000.00", "EUR", "en", "tooLarge"],
    ["99999999999999999999", "JPY", "en", "tooLarge"],
  ])("%j %s in %s: %4$s", (text, code, locale, problem) => {
    expect(parseMoney(text, code, locale)).toEqual({ problem });
  });
});

test("every formatted amount parses to itself, in every currency and locale", () => {
  const locales = ["en", "de", "fr", "de-CH", "en-IN", "ar-EG", "fa", "ja", "pt-BR", "sv"];
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: limits.amount }),
      fc.constantFrom(...Object.keys(currencies)),
      fc.constantFrom(...locales),
      (amount, code, locale) => {
        expect(parseMoney(moneyText(amount, code, locale), code, locale)).toEqual({ amount });
      },
    ),
  );
});

test.each([
  ["EUR", "en", "\u2212€1,250.00"],
  ["EUR", "de", "\u22121.250,00\u00a0€"],
  ["EUR", "sv", "\u22121\u00a0250,00\u00a0€"],
  ["JPY", "en", "\u2212¥125,000"],
])("a negative amount in %s has a true minus sign in %s", (code, locale, text) => {
  expect(formatMoney(-125_000, code, locale)).toBe(text);
});
