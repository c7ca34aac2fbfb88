// What the product prints, the reader of typed numbers reads back; what is nearly that, it reads alike or refuses.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { currencies, formatAmount, formatMoney } from "./currency";
import { signsByCode } from "./currency-signs";
import { pageLanguages } from "./languages";
import { limits } from "./limits";
import { moneyText, parseMoney } from "./money-text";
import { formatNumber, formatPercent } from "./phrases";
import { readPercent, readTyped, readWhole } from "./typed-number";

const regions =
  "AE AR AT AU BE BG BR CA CH CL CN CO CR CY CZ DE DJ DK DZ EC EG ES FI FR GB GQ HK IE IL IN IT JP KE KW LB LI LK LU MA " +
  "MT MX NG NL NO NZ PE PH PK PL PR PT PY RU SE SG SI SN TN TZ US UY VE ZA";

/** The locales of pages, with Western digits, and those of the dashboard, which may be of any language. */
const locales = [
  ...pageLanguages.flatMap((language) =>
    ["", ...regions.split(" ").map((region) => `-${region}`)].map(
      (region) => `${language}${region}-u-ca-gregory-nu-latn`,
    ),
  ),
  ...["en", "en-IN", "en-ZA", "en-CH", "en-DK", "en-FI", "en-NL", "de", "de-AT", "de-CH", "fr-CH", "ar-EG", "fa", "hi"],
  ...["bn", "mr", "my", "ne", "pt-BR", "pt-PT", "sv", "pl", "et", "lv", "cs", "hr", "tr", "he", "ko", "zh-TW", "sw"],
];

const anyLocale = fc.constantFrom(...locales);
const anyCode = fc.constantFrom(...Object.keys(currencies));
/** All lengths of an amount, not almost only the longest. */
const anyAmount = fc
  .tuple(fc.integer({ min: 1, max: limits.amount }), fc.integer({ min: 0, max: 11 }))
  .map(([amount, dropped]) => Math.max(1, Math.trunc(amount / 10 ** dropped)));

const often = { numRuns: 500 };

test("an amount is read back as it stands in a text, a list or a field, in every currency and locale", () => {
  fc.assert(
    fc.property(anyAmount, anyCode, anyLocale, (amount, code, locale) => {
      const inList = formatAmount(amount, code, locale);
      const printed = [
        ...[formatMoney(amount, code, locale), moneyText(amount, code, locale)],
        ...[inList, `${inList} ${code}`, `${code} ${inList}`],
      ];
      for (const text of printed) expect([text, parseMoney(text, code, locale)]).toEqual([text, { amount }]);
    }),
    often,
  );
});

test("a negative amount is read back where one may be typed, and refused where none may be", () => {
  fc.assert(
    fc.property(anyAmount, anyCode, anyLocale, (amount, code, locale) => {
      const inList = formatAmount(-amount, code, locale);
      const signs = [code, ...(signsByCode.get(code) ?? [])];
      const expected = { locale, decimals: currencies[code] ?? 0, signs, mayBeNegative: true };
      for (const text of [`${inList} ${code}`, `${code} ${inList}`, inList]) {
        expect([text, readTyped(text, expected)]).toEqual([text, { digits: String(amount), isNegative: true }]);
        expect(parseMoney(text, code, locale)).toEqual({ problem: "malformed" });
      }
      expect(parseMoney(formatMoney(-amount, code, locale), code, locale)).toEqual({ problem: "malformed" });
    }),
    often,
  );
});

test("a number and a percentage are read back", () => {
  fc.assert(
    fc.property(fc.nat(limits.quantity), fc.nat(limits.taxRateBasisPoints), anyLocale, (number, points, locale) => {
      expect(readWhole(formatNumber(number, locale), locale)).toBe(number);
      expect(readPercent(formatPercent(points / 10_000, locale), locale)).toBe(points);
    }),
    often,
  );
});

test("digits that a mark divides are joined only before exactly three", () => {
  const anyMark = fc.constantFrom(" ", "\u00a0", "\u202f", "'", "’", ".", ",");
  const nearBy = fc.constantFrom("en", "de", "fr", "es", "de-CH");
  fc.assert(
    fc.property(anyAmount, anyMark, fc.nat(12), nearBy, (amount, mark, at, locale) => {
      const digits = String(amount);
      const place = at % digits.length;
      const behind = digits.length - place;
      const text = `${digits.slice(0, place)}${mark}${digits.slice(place)}`;
      const read = parseMoney(text, "EUR", locale);
      if (place === 0 || !("amount" in read)) return;
      const isDecimal = [".", ","].includes(mark) && read.amount * 10 ** behind === amount * 100;
      expect([text, isDecimal || behind === 3]).toEqual([text, true]);
      if (!isDecimal) expect([text, read.amount]).toEqual([text, amount * 100]);
    }),
    often,
  );
});

describe("a whole number", () => {
  test.each([
    ["1000", "en", 1000],
    ["1 000", "en", 1000],
    ["1.000", "de", 1000],
    ["1,000", "de", null],
    ["1 0", "en", null],
    ["1'0", "de-CH", null],
    ["1.5", "en", null],
    ["1.0", "en", 1],
    ["-1", "en", null],
    ["¥5", "ja", null],
    ["", "en", null],
    ["0", "en", 0],
    ["9".repeat(40), "en", null],
  ])("%j in %s is %s", (text, locale, number) => {
    expect(readWhole(text, locale)).toBe(number);
  });
});

describe("a percentage", () => {
  test.each([
    ["19 %", "de", 1900],
    ["%19", "tr", 1900],
    ["7,7%", "en", 770],
    ["1%9", "en", null],
    ["19 € ", "de", null],
    ["19.123", "en", null],
  ])("%j in %s is %s hundredths of a percent", (text, locale, points) => {
    expect(readPercent(text, locale)).toBe(points);
  });
});

test.each(Object.keys(currencies))("the signs of %s that stand in English texts are known", (code) => {
  for (const currencyDisplay of ["symbol", "narrowSymbol"] as const) {
    const format = new Intl.NumberFormat("en", { style: "currency", currency: code, currencyDisplay });
    const sign = format
      .formatToParts(0)
      .find(({ type }) => type === "currency")
      ?.value.replaceAll(/\s/g, " ");
    expect([code, ...(signsByCode.get(code) ?? [])]).toContain(sign);
  }
});

test("a mark that separates thousands in the locale is no decimal mark before four or more digits", () => {
  for (const [text, code, locale] of [
    ["1,0000", "JPY", "en"],
    ["1,0000", "EUR", "en"],
    ["2,5000", "USD", "en"],
    ["1.0000", "EUR", "de"],
    ["10,0000", "JPY", "en"],
    ["1,00000", "EUR", "en"],
  ] as const) {
    expect([text, parseMoney(text, code, locale)]).toEqual([text, { problem: "ambiguous" }]);
  }
  expect(parseMoney("1.0000", "EUR", "en")).toEqual({ amount: 100 });
  expect(parseMoney("1,0000", "EUR", "de")).toEqual({ amount: 100 });
  expect(parseMoney("5.00", "JPY", "de")).toEqual({ amount: 5 });
});
