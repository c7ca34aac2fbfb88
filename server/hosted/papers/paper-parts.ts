// What invoices and credit notes have in common as papers: parties, lines, taxes and amounts.
import type { IssuedInvoice } from "@/server/domains/payments/invoices/issued";
import { formatAmount, formatMoney } from "@/server/kit/currency";
import { formatDay } from "@/server/kit/phrases";
import type { Reader } from "../reader";
import type { Fact, Paper, Table } from "./paper";

type Said = Pick<IssuedInvoice["record"], "currency" | "lines" | "taxes" | "net_amount" | "gross_amount">;
type Party = IssuedInvoice["record"]["seller"];

/** Which of a text's characters cannot be shown. */
export type Missing = (text: string) => string | null;

/** The reader of a paper, for whom signs and names that cannot be shown are written as codes. */
export interface Reading extends Reader {
  missing: Missing;
}

/** A number as a part of a file's name, in ASCII. */
export const inName = (number: string): string => number.replace(/[^A-Za-z0-9._-]/g, "-");

/** The seller at the head of a paper. */
export function senderOf(seller: Party, logo: string | null, color: string | null, reader: Reading): Paper["sender"] {
  const { name, trading_name: shown } = seller;
  const lines = [...(shown === null ? [] : [shown]), ...partyLines({ ...seller, name: null }, reader)];
  return { name: name ?? "", lines, logo, color };
}

/** The purchase order, and the buyer. As on receipts, the e-mail address is not told to everyone with the link. */
export function buyerFacts(order: string | null, buyer: Party | null, term: string, reader: Reading): Fact[] {
  const { t } = reader;
  const name = buyer === null ? [] : partyLines({ ...buyer, email: null }, reader);
  return [
    ...(order === null ? [] : [{ term: t("invoice.order"), value: order }]),
    ...(buyer?.identifier == null ? [] : [{ term: t("invoice.customerNumber"), value: buyer.identifier }]),
    ...(name.length === 0 ? [] : [{ term, value: name.join("\n") }]),
  ];
}

/** A calendar day in the format of a locale. */
export const dayIn = (day: string, locale: string): string => formatDay(`${day}T00:00:00Z`, locale, "UTC");

/** An amount, with the code where the fonts lack the currency's sign. */
export function moneyOf(
  minorUnits: number,
  { currency }: Pick<Said, "currency">,
  { formats, missing }: Reading,
): string {
  const text = formatMoney(minorUnits, currency, formats);
  return missing(text) === null ? text : `${currency} ${formatAmount(minorUnits, currency, formats)}`;
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

/** The lines with their sums; `unnamed` is the name of a line that has none. */
export function linesTable(record: Said, unnamed: string, reader: Reading): Table {
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
      const name = line.item_name ?? unnamed;
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
