// The invoice as a paper: what its record says, in the reader's language.
import type { IssuedInvoice } from "@/server/domains/payments/invoices/issued";
import { formatAmount, formatMoney } from "@/server/kit/currency";
import { missingGlyph } from "@/server/kit/glyphs";
import { formatDay } from "@/server/kit/phrases";
import type { Reader } from "../reader";
import { type Fact, type Paper, paperSizeOf, type Table } from "./paper";

type Record = IssuedInvoice["record"];
type Party = Record["seller"];

/** The name of its file, in ASCII. */
export const invoiceName = ({ record }: IssuedInvoice): string =>
  `invoice-${record.number.replace(/[^A-Za-z0-9._-]/g, "-")}`;

/** Which of a text's characters cannot be shown. */
type Missing = (text: string) => string | null;

/** The reader of an invoice, for whom signs and names that cannot be shown are written as codes. */
interface Reading extends Reader {
  missing: Missing;
}

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
  const { name, trading_name: shown } = record.seller;
  return {
    language: locale,
    size: paperSizeOf(locale),
    title: t("title", { heading, account: name ?? "" }),
    at: invoice.issued_at,
    heading,
    sender: {
      name: name ?? "",
      lines: [...(shown === null ? [] : [shown]), ...partyLines({ ...record.seller, name: null }, reader)],
      logo,
      color: invoice.brand_color,
    },
    test: livemode ? null : `${t("test")} · ${t("testMeaning")}`,
    amount: moneyOf(record.gross_amount, record, reader),
    state: record.due_date === null ? t("invoice.total") : t("due", { date: dayIn(record.due_date, person.formats) }),
    description: null,
    facts: factsOf(record, reader),
    tables: [linesTable(record, reader), ...planOf(record, reader)],
    notes: [record.note, record.payment_terms, record.footer].filter((text) => text !== null),
    pageOf: t("receipt.pageOf", { page: "{page}", pages: "{pages}" }),
  };
}

const dayIn = (day: string, locale: string): string => formatDay(`${day}T00:00:00Z`, locale, "UTC");

/** With the code where the fonts lack the currency's sign. */
function moneyOf(minorUnits: number, { currency }: Record, { formats, missing }: Reading): string {
  const text = formatMoney(minorUnits, currency, formats);
  return missing(text) === null ? text : `${currency} ${formatAmount(minorUnits, currency, formats)}`;
}

function factsOf(record: Record, reader: Reading): Fact[] {
  const { t, formats } = reader;
  const { issue_date, period_start: from, period_end: to, purchase_order_reference: order, buyer } = record;
  const days = [from, to].filter((day) => day !== null).map((day) => dayIn(day, formats));
  // As on receipts, the address is not told to everyone with the link.
  const name = buyer === null ? [] : partyLines({ ...buyer, email: null }, reader);
  return [
    { term: t("invoice.issued"), value: dayIn(issue_date, formats) },
    ...(days.length === 0 ? [] : [{ term: t("invoice.service"), value: days.join(" – ") }]),
    ...(order === null ? [] : [{ term: t("invoice.order"), value: order }]),
    ...(buyer?.identifier == null ? [] : [{ term: t("invoice.customerNumber"), value: buyer.identifier }]),
    ...(name.length === 0 ? [] : [{ term: t("invoice.buyer"), value: name.join("\n") }]),
  ];
}

/** Name, address, tax number and e-mail of a seller or buyer. */
function partyLines({ name, address, vat_identifier: taxId, email }: Party, { t, locale, missing }: Reading): string[] {
  const place = [address?.postal_code, address?.city].filter((part) => part != null).join(" ");
  const country = address?.country == null ? null : countryIn(address.country, locale, missing);
  const lines = [name, address?.line1, address?.line2, place, address?.region, country, email];
  const tax = taxId === null ? [] : [t("invoice.taxId", { number: taxId })];
  return [...lines.flatMap((line) => (line ? [line] : [])), ...tax];
}

function countryIn(code: string, locale: string, missing: Missing): string {
  const name = new Intl.DisplayNames(locale, { type: "region" }).of(code) ?? code;
  return missing(name) === null ? name : code;
}

function linesTable(record: Record, reader: Reading): Table {
  const { t, number, percent } = reader;
  const money = (minorUnits: number) => moneyOf(minorUnits, record, reader);
  const { lines, taxes, net_amount: net } = record;
  const rated = taxes.flatMap(({ vat_rate_bp: rate, ...tax }) => (rate === null ? [] : [{ rate, ...tax }]));
  const hasTax = rated.length > 0;
  const sum = (term: string, minorUnits: number) => ({ term, value: money(minorUnits), isTotal: false });
  return {
    title: t("receipt.items"),
    columns: [
      { title: t("receipt.item"), share: hasTax ? 0.33 : 0.41 },
      { title: t("receipt.quantity"), share: 0.11, isNumber: true },
      { title: t("receipt.unitPrice"), share: 0.25, isNumber: true },
      ...(hasTax ? [{ title: t("invoice.rate"), share: 0.08, isNumber: true }] : []),
      { title: t("receipt.amount"), share: 0.23, isNumber: true },
    ],
    rows: lines.map((line) => {
      const name = line.item_name ?? t("invoice.whole");
      const discount = line.allowance_amount > 0 ? `\n${t("discount", { amount: money(-line.allowance_amount) })}` : "";
      const rate = hasTax ? [line.vat_rate_bp === null ? "–" : percent(line.vat_rate_bp / 10_000)] : [];
      return [name + discount, number(line.quantity), money(line.item_net_price), ...rate, money(line.net_amount)];
    }),
    sums: [
      ...(hasTax ? [sum(t("subtotal"), net)] : []),
      ...rated.map(({ rate: basisPoints, taxable_amount, tax_amount }) => {
        const rate = percent(basisPoints / 10_000);
        const isOnAll = taxable_amount === net;
        return sum(isOnAll ? t("tax", { rate }) : t("taxOn", { rate, amount: money(taxable_amount) }), tax_amount);
      }),
      { ...sum(t("total"), record.gross_amount), isTotal: true },
    ],
  };
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
