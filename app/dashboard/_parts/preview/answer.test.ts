// The language of a previewed page.
import { expect, it } from "vitest";
import { previewReader } from "./answer";

const german = { language: "de", locale: "de-AT", timeZone: "UTC", aheadMs: 0, reportedTimeZone: null } as const;
const tagOf = (locales: readonly (string | null)[], shownTo: Parameters<typeof previewReader>[1] = german) =>
  previewReader({ locales, timezone: null }, shownTo).locale;

it.each([
  ["the payment request's language", ["fr", "es", "en", "en"], "fr"],
  ["else the customer's", [null, "es", "fr", "en"], "es"],
  ["else the account's", [null, null, "es", "en"], "es"],
  ["else that of the dashboard around it", [null, null, null, "en"], "de-AT"],
])("is %s", (_which, locales, tag) => {
  expect(tagOf(locales)).toBe(tag);
});

it("is the dashboard's where pay pages lack the language of the reader's dates", () => {
  expect(tagOf([null, null, null, "en"], { ...german, locale: "pt-BR" })).toBe("de");
});
