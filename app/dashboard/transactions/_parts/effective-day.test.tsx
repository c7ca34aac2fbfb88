// Where the effective date of a transaction is shown, and how.
import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { catalogs } from "@/app/_i18n/catalogs";
import { EffectiveDay } from "./effective-day";
import { type Transaction, useTransactionColumns } from "./transaction-columns";

type Reader = Parameters<typeof EffectiveDay>[0]["reader"];

const recorded = { created_at: "2026-03-14T09:30:00.000Z", effective_at: "2026-03-01T23:30:00.000Z" };

function DateCell({ row, reader }: { row: Pick<Transaction, "created_at" | "effective_at">; reader: Reader }) {
  const columns = useTransactionColumns({ reader, names: {} });
  return columns.find(({ key }) => key === "created")?.cell(row as Transaction);
}

/** The text of what is shown. */
const textOf = (shown: React.ReactElement, locale: "en" | "de") =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale={locale} timeZone="UTC" messages={catalogs[locale]}>
      {shown}
    </NextIntlClientProvider>,
  ).replace(/<[^>]*>/g, "");

it.each([
  ["en", "UTC", "Effective Mar 1, 2026"],
  ["en", "Europe/Berlin", "Effective Mar 2, 2026"],
  ["de", "UTC", "Wertstellung 01.03.2026"],
] as const)("shows another day than that of its recording (%s, %s)", (locale, timeZone, expected) => {
  const reader = { locale, timeZone } as Reader;
  expect(textOf(<EffectiveDay transaction={recorded} reader={reader} />, locale)).toBe(expected);
  const cell = textOf(<DateCell row={recorded} reader={reader} />, locale);
  expect(cell).toMatch(/14/);
  expect(cell.endsWith(expected)).toBe(true);
});

it("shows nothing on the same day in the reader's time zone", () => {
  const at = { created_at: "2026-03-14T23:30:00.000Z", effective_at: "2026-03-15T12:00:00.000Z" };
  const textIn = (timeZone: string) =>
    textOf(<EffectiveDay transaction={at} reader={{ locale: "en", timeZone } as Reader} />, "en");
  expect(textIn("Europe/Berlin")).toBe("");
  expect(textIn("UTC")).not.toBe("");
});
