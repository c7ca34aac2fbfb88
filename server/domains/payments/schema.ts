// The wire form of payment requests in responses.
import * as z from "zod";
import { captureMethods, disputeStatuses, paymentStatuses, paymentTypes } from "@/db/schema/values";
import { addresseeOut } from "@/server/domains/customers/addressee";
import * as fields from "@/server/kit/fields";
import { creditNoteOut } from "./invoices/credit-note-out";
import { invoiceTermsOut } from "./invoices/terms";
import { lineTermsOut } from "./line-terms";
import { adjustableQuantity, linkFieldsOut } from "./links/terms";
import { installmentOut } from "./partial-terms";
import { reminderOut } from "./reminder-schema";

export const paymentId = fields.id("pay", "The payment request.");

/** A line item in a response. */
export const lineItemOut = z
  .strictObject({
    name: z.string(),
    quantity: z.int(),
    unit_amount: z.int(),
    tax_rate_bp: z.int().nullable(),
    discount_amount: z.int().nullable(),
    ...lineTermsOut,
    adjustable_quantity: adjustableQuantity.nullable(),
  })
  .meta({ id: "LineItem" });

export const intervals = ["day", "week", "month", "year"] as const;

const subscriptionOut = z
  .strictObject({
    interval: z.enum(intervals),
    interval_count: z.int(),
    trial_days: z.int().nullable(),
    cycles: z.int().nullable(),
  })
  .meta({ id: "Subscription" });

const lastError = z
  .strictObject({ code: z.string(), message: z.string() })
  .meta({ id: "LastError", description: "Why the last attempt to pay failed." })
  .nullable();

const status = z.enum(paymentStatuses).meta({
  description:
    "`refunded` and `partially_refunded` count what payers got back by refunds and by lost disputes that were written " +
    "off. While a part of a lost payment is due again, what was lost counts as never paid.",
});

const amounts = {
  amount_paid: fields.total,
  amount_due: fields.total.meta({ description: "What is still to be paid; 0 once the payment request is canceled." }),
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
    status,
    amount: z
      .int()
      .nullable()
      .meta({ description: "Minor units; null where each payer chooses: see `custom_amount`." }),
    currency: fields.currencyCode,
    ...amounts,
    amount_released: fields.total,
    amount_disputed: fields.total.meta({
      description: "What open disputes hold, and what the customer got back by disputes that were lost.",
    }),
    dispute_status: z.enum(disputeStatuses).meta({
      description:
        "Of several disputed payments: `open` if one is, else `lost` if one was. It stays `lost` afterwards.",
    }),
    amount_lost: fields.total.meta({
      description:
        "What lost disputes took of what it asks for, and nobody has decided about: `reopen` makes it due again, " +
        "`write_off` gives it up.",
    }),
    amount_reopened: fields.total.meta({
      description:
        "What was made due again after lost disputes: `amount_due` is `amount` less what was paid and waived, plus this.",
    }),
    amount_written_off: fields.total.meta({ description: "What was written off after lost disputes." }),
    amount_overpaid: fields.total.meta({
      description:
        "Minor units that were paid above the amount, by any means, and have neither been refunded nor become credit.",
    }),
    amount_credited: fields.total.meta({
      description: "The part of what was paid above the amount that became credit of the customer.",
    }),
    description: z.string().nullable(),
    reference: z.string().nullable(),
    customer: addresseeOut.nullable(),
    line_items: z.array(lineItemOut),
    capture_method: z.enum(captureMethods),
    capture_before: fields.timestamp.nullable(),
    subscription: subscriptionOut.nullable(),
    invoice: invoiceTermsOut.nullable(),
    allow_partial: z.boolean(),
    minimum_amount: z.int().nullable().meta({ description: "Minor units of the smallest part, with `allow_partial`." }),
    installments: z.array(installmentOut).nullable().meta({ description: "In the order of their due dates." }),
    ...linkFieldsOut,
    subscription_id: fields
      .idOut("sub", "The subscription that it began or is a cycle of; null for any other payment request.")
      .nullable(),
    success_url: z.string().nullable(),
    cancel_url: z.string().nullable(),
    locale: z.string().nullable(),
    metadata: z.record(z.string(), z.string()),
    payment_url: z.string().nullable().meta({ description: "The page on which the customer pays. Null in a draft." }),
    receipt_url: z
      .string()
      .nullable()
      .meta({ description: "The customer's receipt, a page; with `?format=pdf` a file. Null until money was paid." }),
    pdf_url: z
      .string()
      .nullable()
      .meta({
        description:
          "The invoice as a PDF file, for everyone with the link. Null without a number, with a `pdf_problem`, or once the " +
          "customer was erased.",
      }),
    pdf_problem: z
      .string()
      .nullable()
      .meta({
        description:
          "Of an invoice, also while it is a draft: its first character that the fonts of PDF files lack. They have Latin, " +
          "Greek and Cyrillic letters. There is then no `pdf_url`; the pay page leads to the invoice as a page.",
      }),
    invoice_number: z.string().nullable().meta({
      description:
        "Of an invoice: the account's prefix, the year and a number without gaps, given when it becomes final.",
      example: "INV-2026-0001",
    }),
    credit_notes: z
      .array(creditNoteOut)
      .meta({ description: "The credit notes of an invoice, in the order of their numbers; void ones too." }),
    last_error: lastError,
    livemode: z.boolean(),
    transaction_ids: transactionIds,
    reminders: z.array(reminderOut).nullable().meta({ description: "Planned reminders; null if there are none." }),
    expires_at: fields.timestamp.nullable(),
    due_at: fields.timestamp.nullable().meta({
      description:
        "When it is due. With installments: the oldest one that is not paid in full, or the last one once all are.",
    }),
    created_at: fields.timestamp,
    updated_at: fields.timestamp,
    paid_at: fields.timestamp.nullable().meta({
      description: "When the last of the money arrived that paid it in full: as recorded, or as the provider says.",
    }),
    paid_late_at: fields.timestamp.nullable().meta({
      description:
        "When money arrived after the end of the payment request, until it is refunded or accepted by `accept_late`.",
    }),
    write_off_reason: z.string().nullable().meta({ description: "Why it was written off. Payers never see it." }),
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
    status,
    amount: z.int().nullable(),
    currency: fields.currencyCode,
    ...amounts,
    dispute_status: z.enum(disputeStatuses),
    last_error: lastError,
    next_action: nextAction,
    transaction_ids: transactionIds,
    expires_at: fields.timestamp.nullable(),
    updated_at: fields.timestamp,
  })
  .meta({ id: "PaymentStatus" });
