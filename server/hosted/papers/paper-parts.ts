// What invoices and credit notes have in common as papers: parties, lines, taxes and amounts.

import type { IssuedInvoice } from "@/server/domains/payments/invoices/issued";
import { namesCategory } from "@/server/domains/payments/tax-category";
import { formatAmount, formatMoney } from "@/server/kit/currency";
import { formatDay } from "@/server/kit/phrases";
import { pieces } from "@/server/kit/units";
import type { Reader } from "../reader";
import type { Column, Fact, Paper, Table } from "./paper";

type Said = Pick<IssuedInvoice["record"], "currency" | "lines" | "taxes" | "net_amount" | "gross_amount">;
type Line = Said["lines"][number];
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
  const { t } = reader;
  const money = (minorUnits: number) => moneyOf(minorUnits, record, reader);
  const { lines, taxes, net_amount: net } = record;
  const hasRates = taxes.some(({ vat_rate_bp: rate }) => rate !== null);
  const stated = taxes.filter(
    ({ vat_rate_bp: rate, vat_category_code: category }) => rate !== null || category !== null,
  );
  const sum = (term: string, minorUnits: number) => ({ term, value: money(minorUnits), isTotal: false });
  return {
    title: t("receipt.items"),
    columns: columnsOf(record, hasRates, t),
    rows: lines.map((line) => {
      const name = line.item_name ?? unnamed;
      const discount = line.allowance_amount > 0 ? `\n${t("discount", { amount: money(-line.allowance_amount) })}` : "";
      const rate = hasRates ? [rateOf(line, reader)] : [];
      return [name + discount, countOf(line, reader), money(line.item_net_price), ...rate, money(line.net_amount)];
    }),
    sums: [
      ...(stated.length > 0 ? [sum(t("subtotal"), net)] : []),
      ...stated.map((tax) =>
        sum(taxTerm(tax, tax.taxable_amount === net ? null : money(tax.taxable_amount), reader), tax.tax_amount),
      ),
      { ...sum(t("total"), record.gross_amount), isTotal: true },
    ],
  };
}

function columnsOf({ lines }: Said, hasRates: boolean, t: Reading["t"]): Column[] {
  const rate = hasRates ? 0.11 : 0;
  const quantity = lines.some(({ unit_code: unit }) => unit !== pieces) ? 0.16 : 0.11;
  const [price, amount] = [0.25, 0.23];
  return [
    { title: t("receipt.item"), share: 1 - quantity - price - rate - amount },
    { title: t("receipt.quantity"), share: quantity, isNumber: true },
    { title: t("receipt.unitPrice"), share: price, isNumber: true },
    ...(hasRates ? [{ title: t("invoice.rate"), share: rate, isNumber: true }] : []),
    { title: t("receipt.amount"), share: amount, isNumber: true },
  ];
}

/** The quantity with its unit, as a code where the fonts lack a character of its name. */
function countOf({ quantity: count, unit_code: unit }: Line, { quantity, number, missing }: Reading): string {
  const text = quantity(count, unit);
  return missing(text) === null ? text : `${number(count)} ${unit}`;
}

/** Taxed at its rate, which may be 0: nothing more is said about it. */
const isTaxed = ({ vat_category_code: category }: Pick<Line, "vat_category_code">): boolean =>
  category === null || category === "S" || category === "Z";

/** The rate of a line. Behind 0 % of an exempt one is its category, since others with that rate may be taxed. */
function rateOf(line: Line, { percent }: Reading): string {
  if (line.vat_rate_bp === null) return "–";
  const rate = percent(line.vat_rate_bp / 10_000);
  return isTaxed(line) ? rate : `${rate} ${line.vat_category_code}`;
}

/** A tax, the part that it is on if that is not everything, and why it is not more. */
function taxTerm(tax: Said["taxes"][number], part: string | null, { t, percent }: Reading): string {
  const { vat_rate_bp: basisPoints, vat_category_code: category, vat_exemption_reason: reason } = tax;
  const rate = basisPoints === null ? null : percent(basisPoints / 10_000);
  const words = rate === null ? [] : [part === null ? t("tax", { rate }) : t("taxOn", { rate, amount: part })];
  if (isTaxed(tax)) return words.join();
  const name = t(`invoice.categories.${category as Exempt}`);
  if (namesCategory(reason, name)) return [...words, `${reason} (${category})`].join("\n");
  return [...words, `${name} (${category})`, ...(reason === null ? [] : [reason])].join("\n");
}

type Exempt = Exclude<Line["vat_category_code"], "S" | "Z" | null>;
