// The credit note as a paper: what its record says, in the reader's language.
import type { IssuedCreditNote } from "@/server/domains/payments/invoices/issued-credit-note";
import { missingGlyph } from "@/server/kit/glyphs";
import type { Reader } from "../reader";
import { type Fact, type Paper, paperSizeOf } from "./paper";
import { buyerFacts, dayIn, inName, linesTable, type Missing, moneyOf, type Reading, senderOf } from "./paper-parts";

/** The name of its file, in ASCII. */
export const creditNoteName = ({ record }: IssuedCreditNote): string => `credit-note-${inName(record.number)}`;

/** The credit note, with the logo as base64, and whether it is void. `missing` is as for invoices. */
export function creditNotePaper(
  note: IssuedCreditNote,
  person: Reader,
  logo: string | null,
  missing: Missing = missingGlyph,
): Paper {
  const { t, locale } = person;
  const reader = { ...person, missing };
  const { record, livemode } = note;
  const heading = t("creditNote.title", { number: record.number });
  const { number } = record.preceding_invoice;
  return {
    language: locale,
    size: paperSizeOf(locale),
    title: t("title", { heading, account: record.seller.name ?? "" }),
    at: note.changed_at,
    heading,
    sender: senderOf(record.seller, logo, note.brand_color, reader),
    test: livemode ? null : `${t("test")} · ${t("testMeaning")}`,
    voided: note.is_void ? t("creditNote.void", { cause: record.cause }) : null,
    amount: moneyOf(record.gross_amount, record, reader),
    state: t("creditNote.of", { number }),
    description: null,
    facts: factsOf(record, reader),
    tables: [linesTable(record, t("creditNote.part", { number }), reader)],
    notes: record.footer === null ? [] : [record.footer],
    pageOf: t("receipt.pageOf", { page: "{page}", pages: "{pages}" }),
  };
}

function factsOf(record: IssuedCreditNote["record"], reader: Reading): Fact[] {
  const { t, formats } = reader;
  const { number, issue_date: date } = record.preceding_invoice;
  return [
    { term: t("creditNote.issued"), value: dayIn(record.issue_date, formats) },
    { term: t("creditNote.invoice"), value: t("creditNote.invoiceOf", { number, date: dayIn(date, formats) }) },
    { term: t("creditNote.reason"), value: t(`creditNote.causes.${record.cause}`) },
    ...buyerFacts(record.purchase_order_reference, record.buyer, t("creditNote.buyer"), reader),
  ];
}
