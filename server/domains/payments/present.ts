// Presents a payment request's row on the wire.
import type * as z from "zod";
import { iso, isoOrNull } from "@/server/process/clock";
import type { Runtime } from "@/server/process/runtime";
import { amountDue, isDraft, statusAt } from "./derive";
import { installmentsAt, paidOfPlan } from "./installments";
import { presentCreditNote } from "./invoices/credit-note-out";
import type { CreditNoteRow } from "./invoices/credit-note-store";
import { lineTermsOf } from "./line-terms";
import { invoiceUrl, paymentUrl, receiptUrl } from "./link";
import { isReusable } from "./links/usage";
import type { installmentOut } from "./partial-terms";
import type { reminderOut } from "./reminder-schema";
import type { ReminderRow } from "./reminder-store";
import type { lineItemOut, payment, paymentState } from "./schema";
import type { PaymentRow } from "./store";

interface Moment {
  runtime: Pick<Runtime, "keys" | "env">;
  /** The time of the presented status, epoch ms. */
  now: number;
}

/** The records that belong to a payment request, in the order of the response. */
interface Parts {
  transactionIds: readonly string[];
  reminders: readonly ReminderRow[];
  creditNotes: readonly CreditNoteRow[];
}

function presentAmounts(row: PaymentRow, now: number) {
  return {
    amount: row.amount,
    currency: row.currency,
    amount_paid: row.amountPaid,
    amount_due: amountDue(row),
    amount_authorized: row.amountAuthorized,
    // A lapsed hold cannot be captured, even before it has been released.
    amount_capturable: statusAt(row, now) === "authorized" ? Math.min(row.amountCapturable, amountDue(row)) : 0,
    amount_refunded: row.amountRefunded,
  };
}

/** The payment request in every response. */
export function presentPayment(
  row: PaymentRow,
  { transactionIds, reminders, creditNotes }: Parts,
  { runtime, now }: Moment,
): z.input<typeof payment> {
  const { installments } = row;
  const status = statusAt(row, now);
  return {
    payment_id: row.id,
    account_id: row.accountId,
    type: row.type,
    status,
    ...presentAmounts(row, now),
    amount_released: row.amountReleased,
    amount_disputed: row.amountDisputed,
    dispute_status: row.disputeStatus,
    ...{ amount_lost: row.amountLost, amount_reopened: row.amountReopened, amount_written_off: row.amountWrittenOff },
    amount_overpaid: row.amountOverpaid,
    amount_credited: row.amountCredited,
    description: row.description,
    reference: row.reference,
    customer: row.customer && { ...row.customer, customer_id: row.customerId },
    line_items: row.lineItems.map(presentLine),
    capture_method: row.captureMethod,
    capture_before: isoOrNull(row.captureBefore),
    subscription: row.subscription,
    invoice: row.invoice,
    allow_partial: row.allowPartial,
    minimum_amount: row.minimumAmount,
    installments:
      installments &&
      installmentsAt({ installments, amountPaid: paidOfPlan(row) }, status, now).map(presentInstallment),
    usage_limit: row.usageLimit,
    uses_count: row.usesCount,
    uses_reserved: row.usesReserved,
    paused: row.pausedAt !== null,
    custom_amount: row.customAmount,
    parent_payment_id: row.parentPaymentId,
    subscription_id: row.subscriptionId,
    success_url: row.successUrl,
    cancel_url: row.cancelUrl,
    locale: row.locale,
    metadata: row.metadata,
    payment_url: paymentUrl(runtime, row),
    receipt_url: isReusable(row) ? null : receiptUrl(runtime, row, row.amountPaid),
    pdf_url: invoiceUrl(runtime, row),
    pdf_problem: row.pdfProblem,
    invoice_number: row.invoiceNumber,
    credit_notes: creditNotes.map((note) => presentCreditNote(runtime, row, note)),
    last_error: row.lastError,
    livemode: row.livemode,
    transaction_ids: [...transactionIds],
    reminders: presentReminders(row, reminders),
    expires_at: isoOrNull(row.expiresAt),
    due_at: isoOrNull(row.dueAt),
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
    paid_at: isoOrNull(row.paidAt),
    paid_late_at: isoOrNull(row.paidLateAt),
    write_off_reason: row.writeOffReason,
    canceled_at: isoOrNull(row.canceledAt),
    cancellation_reason: row.cancellationReason,
    viewed_at: isoOrNull(row.viewedAt),
  };
}

/** A line item in a response. */
export const presentLine = (line: PaymentRow["lineItems"][number]): z.input<typeof lineItemOut> => ({
  ...{ ...line, ...lineTermsOf(line) },
  adjustable_quantity: line.adjustable_quantity ?? null,
});

/** An installment in a response, or on the pay page. */
export const presentInstallment = (one: ReturnType<typeof installmentsAt>[number]): z.input<typeof installmentOut> => ({
  ...{ amount: one.amount, due_at: iso(one.due_at), amount_paid: one.amountPaid, status: one.status },
});

/** Those of a draft have no date before it is final. */
function presentReminders(row: PaymentRow, planned: readonly ReminderRow[]): z.input<typeof payment>["reminders"] {
  const waiting = ((isDraft(row) ? row.draft?.offsets_days : null) ?? []).map((offset_days) => ({
    ...{ offset_days, planned_at: null, waiting_until: null, sent_at: null, mail_id: null, skipped_reason: null },
  }));
  const reminders = [...planned.map(presentReminder), ...waiting];
  return reminders.length === 0 ? null : reminders;
}

const presentReminder = (row: ReminderRow): z.input<typeof reminderOut> => ({
  offset_days: row.offsetDays,
  planned_at: iso(row.plannedAt),
  waiting_until: row.sentAt === null && row.skippedReason === null ? isoOrNull(row.waitingUntil) : null,
  sent_at: isoOrNull(row.sentAt),
  mail_id: row.mailId,
  skipped_reason: row.skippedReason,
});

/** The status endpoint's answer at `now`. */
export function presentState(
  row: PaymentRow,
  transactionIds: readonly string[],
  now: number,
): z.input<typeof paymentState> {
  const status = statusAt(row, now);
  return {
    payment_id: row.id,
    status,
    ...presentAmounts(row, now),
    dispute_status: row.disputeStatus,
    last_error: row.lastError,
    next_action:
      status === "requires_action" && row.actionUrl !== null ? { type: "redirect", url: row.actionUrl } : null,
    transaction_ids: [...transactionIds],
    expires_at: isoOrNull(row.expiresAt),
    updated_at: iso(row.updatedAt),
  };
}
