// The invoice behind a pay link, as it was frozen when it got its number. Reads only.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import { invoiceOf } from "../invoices/store";
import { linkHashOf } from "../link";
import { findPageByLink } from "../page-store";

const address = z.strictObject({
  line1: z.string().nullable(),
  line2: z.string().nullable(),
  postal_code: z.string().nullable(),
  city: z.string().nullable(),
  region: z.string().nullable(),
  country: z.string().nullable(),
});

const party = z.strictObject({
  name: z.string().nullable(),
  trading_name: z.string().nullable(),
  identifier: z.string().nullable(),
  vat_identifier: z.string().nullable(),
  email: z.string().nullable(),
  address: address.nullable(),
});

const record = z.strictObject({
  number: z.string(),
  issue_date: z.string(),
  due_date: z.string().nullable(),
  currency: z.string(),
  purchase_order_reference: z.string().nullable(),
  note: z.string().nullable(),
  payment_terms: z.string().nullable(),
  seller: party,
  footer: z.string().nullable(),
  buyer: party.nullable(),
  period_start: z.string().nullable(),
  period_end: z.string().nullable(),
  lines: z.array(
    z.strictObject({
      identifier: z.int(),
      item_name: z.string().nullable(),
      quantity: z.int(),
      item_net_price: z.int(),
      allowance_amount: z.int(),
      net_amount: z.int(),
      vat_rate_bp: z.int(),
    }),
  ),
  taxes: z.array(z.strictObject({ vat_rate_bp: z.int(), taxable_amount: z.int(), tax_amount: z.int() })),
  net_amount: z.int(),
  tax_amount: z.int(),
  gross_amount: z.int(),
});

const invoice = z.strictObject({
  record,
  /** When it got its number. */
  issued_at: z.string(),
  brand_color: z.string().nullable(),
  logo_path: z.string().nullable(),
  livemode: z.boolean(),
  locales: z.array(z.string().nullable()),
  timezone: z.string().nullable(),
});

export type IssuedInvoice = z.output<typeof invoice>;

export const paymentInvoice = operation({
  id: "payments.invoice",
  summary: "Open the invoice behind a pay link",
  access: rules["pay.link"],
  effect: "read",
  input: z.strictObject({ token: z.string().max(limits.linkToken) }),
  output: invoice,
  errors: { payment_not_found: 404 },
  async run({ ctx, input, fail }) {
    const page = (await findPageByLink(ctx.db, linkHashOf(input.token) ?? "malformed")) ?? fail("payment_not_found");
    const { payment, account, organization } = page;
    const issued = (await invoiceOf(ctx.db, payment.id)) ?? fail("payment_not_found");
    return {
      record: { ...issued.record, lines: [...issued.record.lines], taxes: [...issued.record.taxes] },
      issued_at: iso(issued.createdAt),
      brand_color: account.preferences.branding.color,
      logo_path: account.preferences.branding.logo_url,
      livemode: payment.livemode,
      locales: [payment.locale, account.preferences.locale, organization.locale],
      timezone: account.preferences.timezone ?? organization.timezone,
    };
  },
});
