// What an invoice says: the record that is frozen when it gets its number. The names are those of EN 16931.
import type { InvoiceLine, InvoiceParty, InvoiceRecord, InvoiceTax } from "@/db/schema/invoice-values";
import type { LineItem } from "@/db/schema/values";
import { invoicePreferencesOf } from "@/server/domains/accounts/rules";
import type { AccountRow } from "@/server/domains/accounts/store";
import type { CustomerRow } from "@/server/domains/customers/store";
import { dayOf } from "@/server/kit/day-bounds";
import { iso } from "@/server/process/clock";
import { netOf, subtotalOf, taxesByRate } from "../rules";
import type { PaymentRow } from "../store";

interface Sources {
  account: AccountRow;
  payment: PaymentRow;
  /** The customer that the payment request names, if it is known. */
  customer: CustomerRow | null;
  number: string;
  issueDate: string;
  timezone: string;
}

/** The record of an invoice. */
export function invoiceRecord({ account, payment, customer, number, issueDate, timezone }: Sources): InvoiceRecord {
  const { lineItems, invoice: terms, dueAt } = payment;
  const lines = linesOf(payment);
  const net = lineItems.length === 0 ? payment.amount : Number(subtotalOf(lineItems));
  return {
    number,
    issue_date: issueDate,
    due_date: dueAt === null ? null : dayOf(iso(dueAt), timezone),
    currency: payment.currency,
    purchase_order_reference: terms?.purchase_order ?? null,
    note: terms?.notes ?? null,
    payment_terms: terms?.terms ?? null,
    seller: sellerOf(account),
    footer: invoicePreferencesOf(account.preferences).footer,
    buyer: buyerOf(payment, customer),
    period_start: terms?.service_from ?? null,
    period_end: terms?.service_to ?? null,
    lines,
    taxes: taxesOfRecord(lineItems, net),
    net_amount: net,
    tax_amount: payment.amount - net,
    gross_amount: payment.amount,
  };
}

function sellerOf({ name, email, preferences }: AccountRow): InvoiceParty {
  const { legal_name: legalName, address, tax_id } = invoicePreferencesOf(preferences);
  return {
    name: legalName ?? name,
    trading_name: legalName === null || legalName === name ? null : name,
    identifier: null,
    vat_identifier: tax_id,
    email,
    address,
  };
}

/** What the payment request says about its customer comes before what the customer says. */
function buyerOf({ customer: snapshot }: PaymentRow, customer: CustomerRow | null): InvoiceParty | null {
  if (snapshot === null) return null;
  return {
    name: snapshot.name,
    trading_name: null,
    identifier: snapshot.reference,
    vat_identifier: customer?.taxId ?? null,
    email: snapshot.email,
    address: customer?.address ?? null,
  };
}

/** A payment request without line items has one line: its description and the whole amount, without tax. */
function linesOf({ lineItems, description, amount }: PaymentRow): InvoiceLine[] {
  if (lineItems.length > 0) return lineItems.map(lineOf);
  const whole = { name: description, quantity: 1, unit_amount: amount, tax_rate_bp: null, discount_amount: null };
  return [lineOf(whole, 0)];
}

const lineOf = (item: Omit<LineItem, "name"> & { name: string | null }, index: number): InvoiceLine => ({
  identifier: index + 1,
  item_name: item.name,
  quantity: item.quantity,
  item_net_price: item.unit_amount,
  allowance_amount: item.discount_amount ?? 0,
  net_amount: Number(netOf(item)),
  vat_rate_bp: item.tax_rate_bp ?? 0,
});

const taxesOfRecord = (lines: readonly LineItem[], net: number): InvoiceTax[] =>
  lines.length === 0
    ? [{ vat_rate_bp: 0, taxable_amount: net, tax_amount: 0 }]
    : taxesByRate(lines).map(({ rate, net: taxable, tax }) => ({
        ...{ vat_rate_bp: rate, taxable_amount: Number(taxable), tax_amount: Number(tax) },
      }));
