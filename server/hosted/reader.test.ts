// Times include the name of their zone, and only the language and region of a tag are used.
import { expect, test } from "vitest";
import { readerOf } from "./reader";

const readerBy = (lang: string | null, timezone: string | null = null, accept: string | null = null) =>
  readerOf(
    {
      query: new URLSearchParams(lang === null ? {} : { lang }),
      headers: new Headers(accept ? { "accept-language": accept } : {}),
    },
    { locales: [], timezone },
  );

test.each([
  ["de", "Europe/London", "01", "GMT"],
  ["de", "Europe/London", "07", "GMT+1"],
  ["en", "Europe/Lisbon", "01", "GMT"],
  ["de", "Europe/Berlin", "01", "MEZ"],
  ["en", null, "01", "UTC"],
])("%s, %s, month %s: %s", (lang, timezone, month, zone) => {
  expect(readerBy(lang, timezone).instant(`2026-${month}-05T12:00:00Z`).split(" ").at(-1)).toBe(zone);
});

test.each([
  ["en-u-ca-buddhist-nu-arab", "en"],
  ["de-AT-u-nu-arab", "de-AT"],
  ["en-Arab-AE", "en-AE"],
  ["de-x-private", "de"],
  ["de-1996-AT", "en"],
])("of the tag %s only %s is used, in ?lang and in Accept-Language", (given, tag) => {
  for (const reader of [readerBy(given), readerBy(null, null, given)]) {
    const plain = readerBy(tag);
    expect(reader.locale).toBe(tag);
    expect(reader.day("2026-01-05T12:00:00Z")).toBe(plain.day("2026-01-05T12:00:00Z"));
    expect(reader.money(125000, "EUR")).toBe(plain.money(125000, "EUR"));
  }
  expect(readerBy("en").day("2026-01-05T12:00:00Z")).toBe("January 5, 2026");
});

test("the links of a page carry the normalized language tag", () => {
  expect(readerBy("de-AT-u-nu-arab").link("/x", { a: "b" })).toBe("/x?a=b&lang=de-AT");
  expect(readerBy("xx").link("/x")).toBe("/x");
});
