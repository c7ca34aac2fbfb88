// The invoice as a paper: what its record says, in the reader's language.
import type { IssuedInvoice } from "@/server/domains/payments/invoices/issued";
import { missingGlyph } from "@/server/kit/glyphs";
import type { Reader } from "../reader";
import { type Fact, type Paper, paperSizeOf, type Table } from "./paper";
import { buyerFacts, dayIn, inName, linesTable, type Missing, moneyOf, type Reading, senderOf } from "./paper-parts";

type Record = IssuedInvoice["record"];

/** The name of its file, in ASCII. */
export const invoiceName = ({ record }: IssuedInvoice): string => `invoice-${inName(record.number)}`;

/**
 * The invoice, with the logo as base64. It never says what has been paid since. `missing` finds what cannot be shown
 * where it is drawn: by default in a file.
 */
export function invoicePaper(
  invoice: IssuedInvoice,
  person: Reader,
  logo: string | null,
  missing: Missing = missingGlyph,
): Paper {
  const { t, locale } = person;
  const reader = { ...person, missing };
  const { record, livemode } = invoice;
  const heading = t("invoice.title", { number: record.number });
  return {
    language: locale,
    size: paperSizeOf(locale),
    title: t("title", { heading, account: record.seller.name ?? "" }),
    at: invoice.issued_at,
    heading,
    sender: senderOf(record.seller, logo, invoice.brand_color, reader),
    test: livemode ? null : `${t("test")} · ${t("testMeaning")}`,
    voided: null,
    amount: moneyOf(record.gross_amount, record, reader),
    state: record.due_date === null ? t("invoice.total") : t("due", { date: dayIn(record.due_date, person.formats) }),
    description: null,
    facts: factsOf(record, reader),
    tables: [linesTable(record, t("invoice.whole"), reader), ...planOf(record, reader)],
    notes: [record.note, record.payment_terms, record.footer].filter((text) => text !== null),
    pageOf: t("receipt.pageOf", { page: "{page}", pages: "{pages}" }),
  };
}

function factsOf(record: Record, reader: Reading): Fact[] {
  const { t, formats } = reader;
  const { issue_date, period_start: from, period_end: to, purchase_order_reference: order, buyer } = record;
  const days = [from, to].filter((day) => day !== null).map((day) => dayIn(day, formats));
  return [
    { term: t("invoice.issued"), value: dayIn(issue_date, formats) },
    ...(days.length === 0 ? [] : [{ term: t("invoice.service"), value: days.join(" – ") }]),
    ...buyerFacts(order, buyer, t("invoice.buyer"), reader),
  ];
}

/** When which installment is due; nothing of an invoice that is paid at once. */
function planOf(record: Record, reader: Reading): Table[] {
  const { t, formats } = reader;
  if (record.installments.length === 0) return [];
  return [
    {
      title: t("part.plan"),
      columns: [
        { title: t("invoice.dueDate"), share: 0.6 },
        { title: t("receipt.amount"), share: 0.4, isNumber: true },
      ],
      rows: record.installments.map((one) => [dayIn(one.due_date, formats), moneyOf(one.amount, record, reader)]),
      sums: [],
    },
  ];
}
