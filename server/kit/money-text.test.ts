// Typed amounts: commas and points in every locale, every currency's digits and signs.
import { describe, expect, test } from "vitest";
import { formatAmount } from "@/server/kit/currency";
import { formatMoney, parseMoney } from "./money-text";

describe("parsing uses the locale's separators", () => {
  test.each([
    ["1,234.56", "EUR", "en", 123456],
    ["1.234,56", "EUR", "de", 123456],
    ["1 234,56", "EUR", "fr", 123456],
    ["1\u202f234,56", "EUR", "fr", 123456],
    ["1’234.56", "CHF", "de-CH", 123456],
    ["1'234.56", "CHF", "de-CH", 123456],
    ["12,34,567.8", "INR", "en-IN", 123456780],
    ["1,234,567.8", "INR", "en-IN", 123456780],
    ["١٬٢٣٤٫٥٦", "EUR", "ar-EG", 123456],
    ["١٢٫٥", "EUR", "en", 1250],
    ["۱۲", "EUR", "de", 1200],
    ["１，２５０", "JPY", "ja", 1250],
    ["￥１２５０", "JPY", "ja", 1250],
    ["\u200f12.50\u00a0€", "EUR", "ar", 1250],
    ["١٢،٥", "EUR", "ar", 1250],
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
  ])("%s %s in %s", (text, code, locale, amount) => {
    expect(parseMoney(text, code, locale)).toEqual({ amount });
  });
});

describe("commas and points are read alike in every locale", () => {
  const everywhere = ["en-GB", "en-US", "de", "de-CH", "fr", "en-IN"];
  const read = (text: string, code: string) => everywhere.map((locale) => parseMoney(text, code, locale));

  test.each([
    ["249,90", "EUR", { amount: 24_990 }],
    ["249.90", "EUR", { amount: 24_990 }],
    ["12,5", "EUR", { amount: 1250 }],
    ["1234,5", "EUR", { amount: 123_450 }],
    ["0,500", "EUR", { amount: 50 }],
    ["1.234,56", "EUR", { amount: 123_456 }],
    ["1,234.56", "EUR", { amount: 123_456 }],
    ["1.234.567", "EUR", { amount: 123_456_700 }],
    ["1,234,567", "EUR", { amount: 123_456_700 }],
    ["1 234,56", "EUR", { amount: 123_456 }],
    ["5,", "EUR", { amount: 500 }],
    [",50", "EUR", { amount: 50 }],
    ["12,00", "JPY", { amount: 12 }],
    ["1.234.567", "JPY", { amount: 1_234_567 }],
    ["12,5", "JPY", { problem: "tooPrecise" }],
    ["12,5", "KWD", { amount: 12_500 }],
    ["0.250", "KWD", { amount: 250 }],
    ["1234,567", "KWD", { amount: 1_234_567 }],
    ["1.234,567", "KWD", { amount: 1_234_567 }],
    ["1,234.567", "KWD", { amount: 1_234_567 }],
    ["1.234,567", "EUR", { problem: "tooPrecise" }],
    ["1.2.3", "EUR", { problem: "malformed" }],
    ["1,2,3", "EUR", { problem: "malformed" }],
    ["1,234,56", "EUR", { problem: "malformed" }],
    ["1 234.567,89", "EUR", { problem: "malformed" }],
    ["3'50", "EUR", { problem: "malformed" }],
    ["12 50", "EUR", { problem: "malformed" }],
    ["10'5", "EUR", { problem: "malformed" }],
    ["1 2 3 4", "EUR", { problem: "malformed" }],
    ["12’50", "CHF", { problem: "malformed" }],
    ["600 00", "JPY", { problem: "malformed" }],
    ["1 0", "JPY", { problem: "malformed" }],
    ["12 500", "JPY", { amount: 12_500 }],
    ["12\u2009500", "JPY", { amount: 12_500 }],
    ["3'500", "EUR", { amount: 350_000 }],
    ["6 500", "KWD", { amount: 6_500_000 }],
    ["1.234,5,6", "EUR", { problem: "malformed" }],
    ["1.23,456", "EUR", { problem: "malformed" }],
  ])("%s in %s", (text, code, parsed) => {
    expect(read(text, code)).toEqual(everywhere.map(() => parsed));
  });

  const unclear = { problem: "ambiguous" };
  test.each([
    // One row for each text; a column for each locale: en-GB, en-US, de, de-CH, fr, en-IN.
    ["6'500", "KWD", [null, null, null, 6_500_000, null, null]],
    ["1,234", "EUR", [123_400, 123_400, null, null, null, 123_400]],
    ["1.234", "EUR", [null, null, 123_400, null, null, null]],
    ["1.500", "EUR", [null, null, 150_000, null, null, null]],
    ["1,234", "JPY", [1234, 1234, null, null, null, 1234]],
    ["1.234", "JPY", [null, null, 1234, null, null, null]],
    ["1,234", "KWD", [null, null, 1234, null, 1234, null]],
    ["1.234", "KWD", [1234, 1234, null, 1234, null, 1234]],
  ])("%s in %s is read as the locale writes it, or refused", (text, code, amounts) => {
    expect(read(text, code)).toEqual(amounts.map((amount) => (amount === null ? unclear : { amount })));
  });
});

describe("the currency's own code and signs stand before or behind", () => {
  test.each([
    ["6 EUR", "EUR", "en", 600],
    ["eur6", "EUR", "en", 600],
    ["6€", "EUR", "en", 600],
    ["$6", "USD", "de", 600],
    ["US$ 6", "USD", "en", 600],
    ["6 $US", "USD", "fr", 600],
    ["$6", "CAD", "en", 600],
    ["￥600", "JPY", "ja", 600],
    ["600円", "JPY", "ja", 600],
    ["Rs.500", "PKR", "en", 50_000],
    ["Rs .50", "PKR", "en", 50],
    ["12 kr.", "DKK", "en", 1200],
    ["F\u202fCFA 500", "XOF", "fr", 500],
    ["5.00 د.ك.\u200f", "KWD", "ar", 5000],
  ])("%s %s in %s", (text, code, locale, amount) => {
    expect(parseMoney(text, code, locale)).toEqual({ amount });
  });
});

describe("an invalid amount is refused with its reason", () => {
  test.each([
    ["", "EUR", "en", "empty"],
    ["  € ", "EUR", "en", "empty"],
    ["12,34,567", "INR", "en", "malformed"],
    ["$6", "EUR", "en", "malformed"],
    ["€6", "USD", "en", "malformed"],
    ["$6", "KWD", "en", "malformed"],
    ["₿6", "EUR", "en", "malformed"],
    ["US$6", "CAD", "en", "malformed"],
    ["USD 6", "EUR", "en", "malformed"],
    ["€6 EUR", "EUR", "en", "malformed"],
    ["6 R", "EUR", "en", "malformed"],
    ["5 k", "MMK", "en", "malformed"],
    ["ten", "EUR", "en", "malformed"],
    ["1²", "EUR", "en", "malformed"],
    ["19⁹⁹", "EUR", "en", "malformed"],
    ["①②", "JPY", "ja", "malformed"],
    ["⒈5", "EUR", "en", "malformed"],
    ["-5", "EUR", "en", "malformed"],
    ["1e3", "EUR", "en", "malformed"],
    [".", "EUR", "en", "malformed"],
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

test.each([
  ["EUR", "en", "\u2212€1,250.00"],
  ["EUR", "de", "\u22121.250,00\u00a0€"],
  ["EUR", "sv", "\u22121\u00a0250,00\u00a0€"],
  ["JPY", "en", "\u2212¥125,000"],
])("a negative amount in %s has a true minus sign in %s", (code, locale, text) => {
  expect(formatMoney(-125_000, code, locale)).toBe(text);
});

test.each([
  ["USD", "ar", "US$\u200e"],
  ["JPY", "ar-EG", "JP¥\u200e"],
  ["EUR", "ar", "€"],
  ["USD", "fr", "$US"],
])("the symbol of %s keeps its letters and sign in order in %s", (code, locale, end) => {
  expect(formatMoney(-125_000, code, locale).endsWith(`\u00a0${end}`)).toBe(true);
});

test.each([
  [-125_000, "EUR", "en", "\u22121,250.00"],
  [6000, "JPY", "en", "6,000"],
  [12_500, "KWD", "de", "12,500"],
] as const)("%i in %s is written without its currency in %s", (amount, code, locale, text) => {
  expect(formatAmount(amount, code, locale)).toBe(text);
});
