// The wire form of payment requests: input and output.
import * as z from "zod";
import { captureMethods, paymentStatuses, paymentTypes } from "@/db/schema/values";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { addressee, addresseeOut } from "./addressee";
import { locale, successUrl } from "./page-schema";
import { reminderOut, reminders } from "./reminder-schema";

export const paymentId = fields.id("pay", "The payment request.");

const lineItem = z
  .strictObject({
    name: fields.text(limits.name),
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
  })
  .meta({ id: "LineItemInput" });

const lineItemOut = z
  .strictObject({
    name: z.string(),
    quantity: z.int(),
    unit_amount: z.int(),
    tax_rate_bp: z.int().nullable(),
    discount_amount: z.int().nullable(),
  })
  .meta({ id: "LineItem" });

const intervals = ["day", "week", "month", "year"] as const;

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
      "The agreed terms. Quittance charges only the first payment, in full even with `trial_days`. " +
      "Required for the type `subscription`, else not allowed.",
  });

const subscriptionOut = z
  .strictObject({
    interval: z.enum(intervals),
    interval_count: z.int(),
    trial_days: z.int().nullable(),
    cycles: z.int().nullable(),
  })
  .meta({ id: "Subscription" });

/** The body of POST /v1/payments. */
export const newPayment = z
  .strictObject({
    account_id: fields
      .id(
        "acct",
        "Who is paid; by default the caller's own `account_id`, or the only open account where that one is closed.",
      )
      .optional(),
    type: z.enum(paymentTypes),
    amount: fields.amount
      .nullish()
      .meta({ description: "Optional with line items; otherwise required. Must equal their total." }),
    currency: fields.currentCurrency,
    description: fields.text(limits.description).nullish(),
    reference: fields.text(limits.reference).nullish().meta({ description: "Unique within the account." }),
    customer: addressee.nullish(),
    line_items: z.array(lineItem).max(limits.lineItems).nullish(),
    capture_method: z.enum(captureMethods).default("automatic"),
    expires_at: fields.instant
      .nullish()
      .meta({ description: `Default: ${limits.expiryDays.default} days; invoices do not expire.` }),
    due_at: fields.instant.nullish().meta({ description: "For invoices only." }),
    subscription: subscription.nullish(),
    success_url: successUrl.nullish(),
    locale: locale.nullish(),
    reminders: reminders.nullish(),
    send: z
      .boolean()
      .optional()
      .meta({ description: "Mail the pay link to the customer now. Requires `customer.email`." }),
    metadata: fields.metadata.nullish(),
  })
  .superRefine((input, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (input.type === "subscription" && !input.subscription) refuse("subscription", "is required for this type");
    if (input.type !== "subscription" && input.subscription) refuse("subscription", "is only for type subscription");
    if (input.type !== "invoice" && input.due_at != null) refuse("due_at", "is only for type invoice");
    const mayHaveEmail = input.customer?.email ?? (input.customer?.email === undefined && input.customer?.customer_id);
    if (input.send && !mayHaveEmail) refuse("customer.email", "is required to send the payment request");
    if (input.reminders && !mayHaveEmail) refuse("customer.email", "is required for reminders");
    if (input.reminders && input.type === "invoice" && input.due_at == null && input.expires_at == null)
      refuse("reminders", "need due_at or expires_at");
    if (input.amount == null && !input.line_items?.length) refuse("amount", "is required without line_items");
  })
  .meta({ id: "CreatePayment" });

export type NewPayment = z.output<typeof newPayment>;

const lastError = z
  .strictObject({ code: z.string(), message: z.string() })
  .meta({ id: "LastError", description: "Why the last attempt to pay failed." })
  .nullable();

const amounts = {
  amount_paid: fields.total,
  amount_due: fields.total,
  amount_authorized: fields.total,
  amount_capturable: fields.total,
  amount_refunded: fields.total,
};

const transactionIds = z.array(fields.idOut("txn", "A transaction that counts towards it, or an attempt."));

const nextAction = z
  .strictObject({ type: z.literal("redirect"), url: z.string() })
  .meta({ id: "NextAction", description: "What the payer has to do before the payment can continue." })
  .nullable();

/** A payment request in every response. */
export const payment = z
  .strictObject({
    payment_id: fields.idOut("pay", "The payment request."),
    account_id: fields.idOut("acct", "The account that is paid."),
    type: z.enum(paymentTypes),
    status: z.enum(paymentStatuses),
    amount: z.int(),
    currency: fields.currencyCode,
    ...amounts,
    amount_released: fields.total,
    amount_disputed: fields.total,
    amount_overpaid: fields.total.meta({
      description: "Minor units that were paid above the amount, by any means, and have not been refunded.",
    }),
    description: z.string().nullable(),
    reference: z.string().nullable(),
    customer: addresseeOut.nullable(),
    line_items: z.array(lineItemOut),
    capture_method: z.enum(captureMethods),
    capture_before: fields.timestamp.nullable(),
    subscription: subscriptionOut.nullable(),
    allow_partial: z.boolean(),
    minimum_amount: z.int().nullable(),
    success_url: z.string().nullable(),
    locale: z.string().nullable(),
    metadata: z.record(z.string(), z.string()),
    payment_url: z.string().nullable().meta({ description: "The page on which the customer pays." }),
    receipt_url: z.string().nullable().meta({ description: "The customer's receipt. Null until money was paid." }),
    pdf_url: z.string().nullable(),
    invoice_number: z.string().nullable(),
    last_error: lastError,
    livemode: z.boolean(),
    transaction_ids: transactionIds,
    reminders: z.array(reminderOut).nullable().meta({ description: "Planned reminders; null if there are none." }),
    expires_at: fields.timestamp.nullable(),
    due_at: fields.timestamp.nullable(),
    created_at: fields.timestamp,
    updated_at: fields.timestamp,
    paid_at: fields.timestamp.nullable(),
    canceled_at: fields.timestamp.nullable(),
    cancellation_reason: z.string().nullable().meta({ description: "Why it was canceled. Payers never see it." }),
    viewed_at: fields.timestamp.nullable().meta({
      description:
        "When the customer first saw the pay page. Programs that follow links, browsers without JavaScript and users " +
        "signed in to the dashboard do not count.",
    }),
  })
  .meta({ id: "Payment" });

/** The response of GET /v1/payments/{payment_id}/status. */
export const paymentState = z
  .strictObject({
    payment_id: fields.idOut("pay", "The payment request."),
    status: z.enum(paymentStatuses),
    amount: z.int(),
    currency: fields.currencyCode,
    ...amounts,
    dispute_status: z.enum(["none", "open", "won", "lost"]),
    last_error: lastError,
    next_action: nextAction,
    transaction_ids: transactionIds,
    expires_at: fields.timestamp.nullable(),
    updated_at: fields.timestamp,
  })
  .meta({ id: "PaymentStatus" });
