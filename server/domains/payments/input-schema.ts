// The wire form of payment requests in calls: what creates one, and what changes one.
import * as z from "zod";
import { captureMethods, paymentTypes } from "@/db/schema/values";
import { addressee } from "@/server/domains/customers/addressee";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { invoiceFaultsOf, invoiceTerms } from "./invoices/terms";
import { lineFaultsOf, lineTerms } from "./line-terms";
import { adjustableQuantity, linkFaultsOf, linkTerms } from "./links/terms";
import { cancelUrl, locale, successUrl } from "./page-schema";
import { partialFaultsOf, partialTerms } from "./partial-terms";
import { reminders } from "./reminder-schema";
import { intervals, paymentId } from "./schema";

/** A line item in a call. */
export const lineItem = z
  .strictObject({
    name: fields.name,
    quantity: z.int().min(1).max(limits.quantity),
    unit_amount: fields.amount.meta({ description: "Minor units for one.", example: 1250 }),
    tax_rate_bp: z
      .int()
      .min(0)
      .max(limits.taxRateBasisPoints)
      .nullish()
      .meta({ description: "Basis points: 1900 is 19 %." }),
    discount_amount: z
      .int()
      .min(0)
      .max(limits.amount)
      .nullish()
      .meta({ description: "Minor units off the whole line, before tax." }),
    ...lineTerms,
    adjustable_quantity: adjustableQuantity.nullish(),
  })
  .meta({ id: "LineItemInput" });

const subscription = z
  .strictObject({
    interval: z.enum(intervals),
    interval_count: z.int().min(1).max(limits.subscriptionIntervalCount).default(1),
    trial_days: z.int().min(1).max(limits.trialDays).nullish(),
    cycles: z.int().min(1).max(limits.subscriptionCycles).nullish(),
  })
  .meta({
    id: "SubscriptionInput",
    description:
      "The agreed terms. The first payment stores the card at the provider, and each later period is charged to it. With " +
      "`trial_days`, the page only stores the card: nothing is due, and the first period is charged after the trial. " +
      "Required for the type `subscription`, else not allowed.",
  });

const newFields = z.strictObject({
  account_id: fields
    .id(
      "acct",
      "Who is paid; by default the caller's own `account_id`, or the only open account where that one is closed.",
    )
    .optional(),
  type: z.enum(paymentTypes),
  amount: fields.amount.nullish().meta({
    description: "Optional with line items or `custom_amount`; otherwise required. Must equal the total of line items.",
  }),
  currency: fields.currentCurrency,
  description: fields.text(limits.description).nullish(),
  reference: fields.reference.nullish().meta({
    description:
      "Unique within the account. Stored in Unicode Normalization Form C, so that composed and decomposed spellings are one.",
  }),
  customer: addressee.nullish(),
  line_items: z.array(lineItem).max(limits.lineItems).nullish(),
  capture_method: z.enum(captureMethods).default("automatic"),
  expires_at: fields.instant.nullish().meta({
    description: `Default: ${limits.expiryDays.default} days; neither invoices nor installments expire by default. Not before \`due_at\`.`,
  }),
  due_at: fields.dueDate.nullish().meta({
    description:
      "For invoices only. A date means the end of that day in the account's time zone. Not before the issue date.",
  }),
  ...partialTerms,
  ...linkTerms,
  subscription: subscription.nullish(),
  invoice: invoiceTerms.nullish(),
  success_url: successUrl.nullish(),
  cancel_url: cancelUrl.nullish(),
  locale: locale.nullish(),
  reminders: reminders.nullish(),
  send: z
    .boolean()
    .optional()
    .meta({ description: "Mail the pay link to the customer now. Requires `customer.email`." }),
  draft: z.boolean().optional().meta({
    description: "Make a draft: it has no pay link, and nobody can pay it, until it is finalized.",
  }),
  metadata: fields.metadata.nullish(),
});

/** What a pay page shows of a payment request that does not exist yet. */
export const shownContent = newFields
  .pick({
    ...{ type: true, amount: true, currency: true, description: true, reference: true, line_items: true },
    ...{ capture_method: true, expires_at: true, due_at: true, subscription: true, locale: true },
    ...{ allow_partial: true, minimum_amount: true, installments: true, usage_limit: true, custom_amount: true },
  })
  .extend({ account_id: fields.id("acct", "Who is paid.") });

/** What an invoice shows that does not exist yet. */
export const shownInvoice = shownContent.extend({
  type: z.literal("invoice"),
  customer: addressee.nullish(),
  invoice: invoiceTerms.nullish(),
});

/** What a payment request says, apart from whom it is addressed to. */
export type Content = Omit<z.output<typeof newFields>, "account_id" | "customer" | "send" | "draft">;

/** How the fields of a payment request contradict each other: the name of each faulty field, and its fault. */
export function faultsOf(content: Content): [field: string, fault: string][] {
  const { type, subscription: terms, due_at: dueAt, expires_at: expiresAt } = content;
  const faults: [string, string][] = [];
  if (type === "subscription" && !terms) faults.push(["subscription", "is required for this type"]);
  if (type !== "subscription" && terms) faults.push(["subscription", "is only for type subscription"]);
  if (terms?.trial_days != null && content.capture_method === "manual")
    faults.push(["capture_method", "must be automatic with trial_days: nothing is charged"]);
  if (type !== "invoice" && dueAt != null) faults.push(["due_at", "is only for type invoice"]);
  const hasDate = dueAt != null || content.installments || expiresAt != null;
  if (content.reminders && type === "invoice" && !hasDate) faults.push(["reminders", "need due_at or expires_at"]);
  faults.push(...lineFaultsOf(content.line_items ?? []));
  faults.push(...invoiceFaultsOf(type, content.invoice), ...partialFaultsOf(content), ...linkFaultsOf(content));
  if (content.amount == null && !content.line_items?.length && !content.custom_amount)
    faults.push(["amount", "is required without line_items"]);
  return faults;
}

/** The body of POST /v1/payments. */
export const newPayment = newFields
  .superRefine((input, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    for (const [field, fault] of faultsOf(input)) refuse(field, fault);
    const mayHaveEmail = input.customer?.email ?? (input.customer?.email === undefined && input.customer?.customer_id);
    if (input.send && input.draft) refuse("send", "is not for drafts: send it once it is finalized");
    if (input.send && !mayHaveEmail) refuse("customer.email", "is required to send the payment request");
    if (input.reminders && !mayHaveEmail) refuse("customer.email", "is required for reminders");
  })
  .meta({ id: "CreatePayment" });

export type NewPayment = z.output<typeof newPayment>;

/** The body of PATCH /v1/payments/{payment_id}. */
export const paymentPatch = newFields
  .omit({ send: true, draft: true })
  .partial()
  .extend({
    payment_id: paymentId,
    account_id: fields.id("acct", "Only the payment request's own account: it cannot be changed.").optional(),
    capture_method: z.enum(captureMethods).optional(),
    metadata: fields.metadataPatch.optional(),
    paused: z
      .boolean()
      .meta({
        description:
          "Only of a reusable link that is open: whether it is paused. Its page then takes no payment and says so, until it is resumed with `false`. Payments under way go on.",
        example: true,
      })
      .optional(),
  })
  .meta({ id: "UpdatePayment" });

export type PaymentPatch = z.output<typeof paymentPatch>;
