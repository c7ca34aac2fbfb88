// What an invoice says: the record that is frozen when it gets its number. The names are those of EN 16931.

import type {
  InvoiceInstallment,
  InvoiceLine,
  InvoiceParty,
  InvoiceRecord,
  InvoiceTax,
} from "@/db/schema/invoice-values";
import type { LineItem, TaxCategory } from "@/db/schema/line-values";
import { may } from "@/server/access/may";
import { invoicePreferencesOf } from "@/server/domains/accounts/rules";
import type { AccountRow } from "@/server/domains/accounts/store";
import { type CustomerRow, readCustomer } from "@/server/domains/customers/store";
import type { WriteContext } from "@/server/kit/context";
import { dayOf } from "@/server/kit/day-bounds";
import { missingGlyph } from "@/server/kit/glyphs";
import { pieces } from "@/server/kit/units";
import { iso } from "@/server/process/clock";
import { fixedAmount } from "../fixed-amount";
import { netOf, subtotalOf, taxesByRate } from "../line-sums";
import type { PaymentRow } from "../store";
import { categoryOf } from "../tax-category";

/** What an invoice says of its payment request. */
type Invoiced = Pick<
  PaymentRow,
  "lineItems" | "invoice" | "dueAt" | "installments" | "currency" | "amount" | "customer" | "description"
>;

interface Sources {
  account: AccountRow;
  payment: Invoiced;
  /** The customer of the payment request; null if there is none, or the caller may not read customers. */
  customer: CustomerRow | null;
  number: string;
  issueDate: string;
  timezone: string;
}

/** Digits of a number; larger ones have more. */
const leastDigits = 4;

/** The prefix, the year and the number within it. */
export const numberOf = (prefix: string, year: number, sequence: number): string =>
  `${prefix}${year}-${String(sequence).padStart(leastDigits, "0")}`;

/** The prefix of the account's next invoice. */
export const prefixOf = (account: AccountRow): string => invoicePreferencesOf(account).number_prefix ?? "";

/** The prefix of an invoice that has this number. */
export const prefixIn = (number: string): string => number.slice(0, number.lastIndexOf("-") - "2026".length);

/** The customer of a payment request, whose address is on the invoice; null if the caller may not read customers. */
export async function readableCustomer(
  { db, actor }: WriteContext,
  { customerId }: PaymentRow,
): Promise<CustomerRow | null> {
  return customerId !== null && may("customers.read", actor) ? ((await readCustomer(db, customerId)) ?? null) : null;
}

/** The record of an invoice. */
export function invoiceRecord({ account, payment, customer, number, issueDate, timezone }: Sources): InvoiceRecord {
  const { lineItems, invoice: terms, dueAt } = payment;
  const lines = linesOf(payment);
  const gross = fixedAmount(payment);
  const net = lineItems.length === 0 ? gross : Number(subtotalOf(lineItems));
  return {
    number,
    issue_date: issueDate,
    // Installments have dates of their own.
    due_date: dueAt === null || payment.installments ? null : dayOf(iso(dueAt), timezone),
    installments: installmentsOf(payment, timezone),
    currency: payment.currency,
    purchase_order_reference: terms?.purchase_order ?? null,
    note: noteOf(payment),
    payment_terms: terms?.terms ?? null,
    seller: sellerOf(account),
    footer: invoicePreferencesOf(account).footer,
    buyer: buyerOf(payment, customer),
    period_start: terms?.service_from ?? null,
    period_end: terms?.service_to ?? null,
    lines,
    taxes: taxesOfRecord(lineItems, net),
    net_amount: net,
    tax_amount: gross - net,
    gross_amount: gross,
  };
}

function sellerOf(account: AccountRow): InvoiceParty {
  const { name, email } = account;
  const { legal_name: legalName, address, tax_id } = invoicePreferencesOf(account);
  return {
    name: legalName ?? name,
    trading_name: legalName === null || legalName === name ? null : name,
    identifier: null,
    vat_identifier: tax_id,
    email,
    address,
  };
}

/**
 * Whom the payment request is addressed to. The address and the tax number are the customer's, unless the payment
 * request gives another name: they would be those of somebody else.
 */
function buyerOf({ customer: snapshot }: Invoiced, customer: CustomerRow | null): InvoiceParty | null {
  if (snapshot === null) return null;
  const isSame = customer !== null && (snapshot.name === null || snapshot.name === customer.name);
  return {
    name: isSame ? customer.name : snapshot.name,
    trading_name: null,
    identifier: snapshot.reference,
    vat_identifier: isSame ? customer.taxId : null,
    email: snapshot.email,
    address: isSame ? customer.address : null,
  };
}

/** What the whole is for, unless a line says so or the fonts of PDF files lack a character of it, and the notes. */
function noteOf({ lineItems, description, invoice }: Invoiced): string | null {
  const isSaid = lineItems.length === 0 || lineItems.some(({ name }) => name === description);
  const isShown = description !== null && !isSaid && missingGlyph(description) === null;
  const texts = [isShown ? description : null, invoice?.notes ?? null];
  return texts.filter((text) => text !== null).join("\n\n") || null;
}

/** A payment request without line items has one line: its description and the whole amount, without tax. */
function linesOf({ lineItems, description, amount }: Invoiced): InvoiceLine[] {
  if (lineItems.length > 0) return lineItems.map(lineOf);
  const whole = {
    name: description,
    quantity: 1,
    unit_amount: fixedAmount({ amount }),
    tax_rate_bp: null,
    discount_amount: null,
  };
  return [lineOf(whole, 0)];
}

const lineOf = (item: Omit<LineItem, "name"> & { name: string | null }, index: number): InvoiceLine => ({
  identifier: index + 1,
  item_name: item.name,
  quantity: item.quantity,
  item_net_price: item.unit_amount,
  allowance_amount: item.discount_amount ?? 0,
  net_amount: Number(netOf(item)),
  vat_rate_bp: item.tax_rate_bp,
  vat_category_code: categoryOf(item),
  unit_code: item.unit ?? pieces,
});

/** Without a rate is not the same as a rate of 0. */
const taxesOfRecord = (lines: readonly LineItem[], net: number): InvoiceTax[] =>
  lines.length === 0
    ? [{ vat_rate_bp: null, ...categoryTerms(null, []), taxable_amount: net, tax_amount: 0 }]
    : taxesByRate(lines).map(({ category, rate, net: taxable, tax }) => ({
        ...{ vat_rate_bp: rate, ...categoryTerms(category, lines) },
        ...{ taxable_amount: Number(taxable), tax_amount: Number(tax) },
      }));

/** A category, which decides about the rate of an exempt line, with the reasons of its lines. */
function categoryTerms(category: TaxCategory | null, lines: readonly LineItem[]) {
  const own = lines.filter((line) => categoryOf(line) === category);
  const reasons = new Set(own.flatMap(({ tax_exemption_reason: reason }) => reason ?? []));
  return { vat_category_code: category, vat_exemption_reason: [...reasons].join("; ") || null };
}

/** What is due when, for a payment request in installments. */
const installmentsOf = ({ installments }: Invoiced, timezone: string): InvoiceInstallment[] =>
  (installments ?? []).map(({ amount, due_at }) => ({ due_date: dayOf(iso(due_at), timezone), amount }));
