// What is stored of invoices as JSON: the terms of a payment request, the settings of an account, the frozen record.
import type { TaxCategory } from "./line-values";
import type { Address } from "./values";

/** What a payment request of type invoice says beside the amount. Dates are days of a calendar, `2026-11-20`. */
export interface InvoiceTerms {
  /** Once it has a number: the date that its invoice states. */
  issue_date: string | null;
  service_from: string | null;
  service_to: string | null;
  purchase_order: string | null;
  notes: string | null;
  terms: string | null;
}

/** What the invoices of an account say about it. */
export interface InvoicePreferences {
  legal_name: string | null;
  address: Address | null;
  tax_id: string | null;
  number_prefix: string | null;
  footer: string | null;
}

/** Who sells or buys: groups BG-4 and BG-7 of EN 16931. */
export interface InvoiceParty {
  name: string | null;
  trading_name: string | null;
  identifier: string | null;
  vat_identifier: string | null;
  email: string | null;
  address: Address | null;
}

/** One line: group BG-25 of EN 16931. Amounts are minor units, rates basis points. */
export interface InvoiceLine {
  identifier: number;
  /** Null where the payment request has neither line items nor a description. */
  item_name: string | null;
  quantity: number;
  item_net_price: number;
  allowance_amount: number;
  net_amount: number;
  /** Null without a rate, which is not the same as a rate of 0. */
  vat_rate_bp: number | null;
  /** Null without a rate, unless the line is not subject to VAT. */
  vat_category_code: TaxCategory | null;
  /** Of UN/ECE Recommendation 20. */
  unit_code: string;
}

/** The tax of one category and rate: group BG-23 of EN 16931. */
export interface InvoiceTax {
  vat_rate_bp: number | null;
  /** As of a line. */
  vat_category_code: TaxCategory | null;
  /** As the lines give it; each different reason once. */
  vat_exemption_reason: string | null;
  taxable_amount: number;
  tax_amount: number;
}

/** What is due on one day, of an invoice that is paid in installments. */
export interface InvoiceInstallment {
  due_date: string;
  amount: number;
}

/** What an invoice says, as it was when the payment request became final. docs/invoices.md maps it to EN 16931. */
export interface InvoiceRecord {
  number: string;
  issue_date: string;
  due_date: string | null;
  installments: readonly InvoiceInstallment[];
  currency: string;
  purchase_order_reference: string | null;
  note: string | null;
  payment_terms: string | null;
  seller: InvoiceParty;
  /** The last line of each of the seller's invoices. */
  footer: string | null;
  buyer: InvoiceParty | null;
  period_start: string | null;
  period_end: string | null;
  lines: readonly InvoiceLine[];
  taxes: readonly InvoiceTax[];
  net_amount: number;
  tax_amount: number;
  gross_amount: number;
}

/** What made a credit note necessary. */
export const creditNoteCauses = ["refund", "cancelation", "partial_capture", "dispute"] as const;

/**
 * What a credit note says, as it was when it was made: a document of type 381 (BT-3) that corrects the invoice it names.
 * docs/invoices.md maps it to EN 16931.
 */
export interface CreditNoteRecord {
  number: string;
  issue_date: string;
  currency: string;
  preceding_invoice: { number: string; issue_date: string };
  cause: (typeof creditNoteCauses)[number];
  purchase_order_reference: string | null;
  seller: InvoiceParty;
  /** The last line of each of the seller's papers. */
  footer: string | null;
  buyer: InvoiceParty | null;
  lines: readonly InvoiceLine[];
  taxes: readonly InvoiceTax[];
  net_amount: number;
  tax_amount: number;
  gross_amount: number;
}
