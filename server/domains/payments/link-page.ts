// The content of every page behind a pay link: who is paid, for what, and how much. It has only what a payer may see.

import * as z from "zod";
import { subscriptionIntervals } from "@/db/schema/values";
import { localesOf } from "@/server/domains/customers/locales";
import { pieces } from "@/server/kit/units";
import { isoOrNull } from "@/server/process/clock";
import { amountDue } from "./derive";
import { netOf, subtotalOf, taxesOf } from "./line-sums";
import { hasPdf, isErased } from "./link";
import type { ShownPage } from "./links/link-view";

const line = z.strictObject({
  ...{ name: z.string(), quantity: z.int(), unit: z.string(), unit_amount: z.int(), net_amount: z.int() },
});

/** The tax at one rate, and the amount that it is on, in minor units. */
const tax = z.strictObject({ rate_bp: z.int(), net_amount: z.int(), amount: z.int() });

/** The fields of {@link presentLinkPage}. */
export const linkPageFields = {
  account_name: z.string(),
  account_email: z.string(),
  brand_color: z.string().nullable(),
  logo_path: z.string().nullable(),
  livemode: z.boolean(),
  type: z.enum(["product", "subscription", "invoice"]),
  description: z.string().nullable(),
  reference: z.string().nullable(),
  lines: z.array(line),
  subtotal: z.int().meta({ description: "The lines before tax, in minor units." }),
  taxes: z.array(tax),
  subscription: z
    .strictObject({
      ...{ interval: z.enum(subscriptionIntervals), interval_count: z.int() },
      trial_days: z.int().nullable().meta({ description: "Set if nothing is charged now: the page stores the card." }),
      is_renewal: z.boolean().meta({ description: "Whether it is a later period." }),
    })
    .nullable(),
  invoice_number: z.string().nullable(),
  /** Whether the invoice has a PDF file. */
  has_pdf: z.boolean(),
  amount: z.int(),
  amount_due: z.int(),
  amount_paid: z.int(),
  amount_refunded: z.int(),
  amount_charged_back: z.int().meta({ description: "Minor units that the customer's bank returned by a dispute." }),
  currency: z.string(),
  paid_at: z.string().nullable(),
  locales: z
    .array(z.string().nullable())
    .meta({ description: "The payment request's, the customer's, the account's, the organization's." }),
  timezone: z.string().nullable(),
};

const linkPage = z.strictObject(linkPageFields);

export type LinkPage = z.output<typeof linkPage>;

/** The payment request and its account, as anyone with the link sees them. */
export function presentLinkPage({ payment, account, known, organization }: ShownPage): LinkPage {
  const { lineItems, subscription } = payment;
  return {
    account_name: account.name,
    account_email: account.email,
    brand_color: account.preferences.branding.color,
    logo_path: account.preferences.branding.logo_url,
    livemode: payment.livemode,
    type: payment.type,
    description: payment.description,
    reference: payment.reference,
    lines: lineItems.map((item) => ({
      name: item.name,
      quantity: item.quantity,
      unit: item.unit ?? pieces,
      unit_amount: item.unit_amount,
      net_amount: Number(netOf(item)),
    })),
    subtotal: Number(subtotalOf(lineItems)),
    taxes: taxesOf(lineItems).map(({ rate, net, tax: amount }) => ({
      ...{ rate_bp: rate, net_amount: Number(net), amount: Number(amount) },
    })),
    subscription: subscription && {
      ...{ interval: subscription.interval, interval_count: subscription.interval_count },
      ...{ trial_days: payment.isTrial ? subscription.trial_days : null, is_renewal: payment.isRenewal },
    },
    invoice_number: isErased(payment) ? null : payment.invoiceNumber,
    has_pdf: hasPdf(payment),
    amount: payment.amount,
    amount_due: amountDue(payment),
    amount_paid: payment.amountPaid,
    amount_refunded: payment.amountRefunded,
    amount_charged_back: payment.amountChargedBack,
    currency: payment.currency,
    paid_at: isoOrNull(payment.paidAt),
    locales: [...localesOf(payment.locale, known, account), organization.locale],
    timezone: account.preferences.timezone ?? organization.timezone,
  };
}
