// An issued invoice on the wire, for the papers that are made of it.

import * as z from "zod";
import { taxCategories } from "@/db/schema/line-values";
import { localesOf } from "@/server/domains/customers/locales";
import { addressOut } from "@/server/kit/address-fields";
import { iso } from "@/server/process/clock";
import type { LinkedPage } from "../page-store";
import type { invoiceOf } from "./store";

export const party = z.strictObject({
  name: z.string().nullable(),
  trading_name: z.string().nullable(),
  identifier: z.string().nullable(),
  vat_identifier: z.string().nullable(),
  email: z.string().nullable(),
  address: addressOut.nullable(),
});

const category = z.enum(taxCategories).nullable();

/** What is sold, and the sums. */
export const sums = {
  lines: z.array(
    z.strictObject({
      identifier: z.int(),
      item_name: z.string().nullable(),
      quantity: z.int(),
      item_net_price: z.int(),
      allowance_amount: z.int(),
      net_amount: z.int(),
      vat_rate_bp: z.int().nullable(),
      vat_category_code: category,
      unit_code: z.string(),
    }),
  ),
  taxes: z.array(
    z.strictObject({
      ...{ vat_rate_bp: z.int().nullable(), vat_category_code: category, vat_exemption_reason: z.string().nullable() },
      ...{ taxable_amount: z.int(), tax_amount: z.int() },
    }),
  ),
  net_amount: z.int(),
  tax_amount: z.int(),
  gross_amount: z.int(),
};

const record = z.strictObject({
  number: z.string(),
  issue_date: z.string(),
  due_date: z.string().nullable(),
  installments: z.array(z.strictObject({ due_date: z.string(), amount: z.int() })),
  currency: z.string(),
  purchase_order_reference: z.string().nullable(),
  note: z.string().nullable(),
  payment_terms: z.string().nullable(),
  seller: party,
  footer: z.string().nullable(),
  buyer: party.nullable(),
  period_start: z.string().nullable(),
  period_end: z.string().nullable(),
  ...sums,
});

/** How a paper looks today, and for whom it is written. */
export const look = {
  brand_color: z.string().nullable(),
  logo_path: z.string().nullable(),
  livemode: z.boolean(),
  locales: z.array(z.string().nullable()),
  timezone: z.string().nullable(),
};

export const issuedInvoice = z.strictObject({
  record,
  /** Whether the fonts of PDF files have all of its characters. */
  has_pdf: z.boolean(),
  /** When it got its number. */
  issued_at: z.string(),
  ...look,
});

export type IssuedInvoice = z.output<typeof issuedInvoice>;

export interface Sources {
  payment: Pick<LinkedPage["payment"], "pdfProblem" | "livemode" | "locale">;
  account: Pick<LinkedPage["account"], "preferences">;
  known: LinkedPage["known"] | null | undefined;
  organization: Pick<LinkedPage["organization"], "locale" | "timezone">;
  issued: Pick<NonNullable<Awaited<ReturnType<typeof invoiceOf>>>, "record" | "createdAt">;
}

/** What is frozen of the invoice, with the account's current branding and the preferences of its readers. */
export const presentIssued = ({ issued, ...sources }: Sources): IssuedInvoice => ({
  record: {
    ...issued.record,
    lines: [...issued.record.lines],
    taxes: [...issued.record.taxes],
    installments: [...issued.record.installments],
  },
  has_pdf: sources.payment.pdfProblem === null,
  issued_at: iso(issued.createdAt),
  ...lookOf(sources),
});

/** The look of a paper of this payment request, with the preferences of its readers. */
export const lookOf = ({ payment, account, known, organization }: Omit<Sources, "issued">) => ({
  brand_color: account.preferences.branding.color,
  logo_path: account.preferences.branding.logo_url,
  livemode: payment.livemode,
  locales: [...localesOf(payment.locale, known, account), organization.locale],
  timezone: account.preferences.timezone ?? organization.timezone,
});
