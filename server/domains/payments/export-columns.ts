// The columns of exported payment requests, in order: the wire fields under their names, nested fields flattened or as
// JSON, then columns for bookkeeping.
import type * as z from "zod";
import type { Reading } from "@/server/domains/accounts/record-export";
import type { Cell } from "@/server/kit/csv";
import { decimalAmount } from "@/server/kit/currency";
import { calendarDay } from "@/server/kit/phrases";
import { netOf } from "./line-sums";
import type { payment } from "./schema";

type Payment = z.input<typeof payment>;

/** The statuses in which nobody is asked to pay: not yet, or no longer. */
const unaskedStatuses: readonly Payment["status"][] = ["draft", "canceled", "expired"];

/** Whether somebody is asked to pay what is due. A pending use of a reusable link is an attempt that its payer gave up. */
const isAsked = ({ status, parent_payment_id: link, amount_paid: paid }: Payment): boolean =>
  !unaskedStatuses.includes(status) && (link === null || status !== "pending" || paid > 0);

const columns = {
  payment_id: (row) => row.payment_id,
  account_id: (row) => row.account_id,
  type: (row) => row.type,
  status: (row) => row.status,
  amount: (row) => row.amount,
  currency: (row) => row.currency,
  amount_paid: (row) => row.amount_paid,
  amount_due: (row) => row.amount_due,
  amount_authorized: (row) => row.amount_authorized,
  amount_capturable: (row) => row.amount_capturable,
  amount_refunded: (row) => row.amount_refunded,
  amount_released: (row) => row.amount_released,
  amount_disputed: (row) => row.amount_disputed,
  dispute_status: (row) => row.dispute_status,
  amount_lost: (row) => row.amount_lost,
  amount_reopened: (row) => row.amount_reopened,
  amount_written_off: (row) => row.amount_written_off,
  amount_overpaid: (row) => row.amount_overpaid,
  amount_credited: (row) => row.amount_credited,
  description: (row) => row.description,
  reference: (row) => row.reference,
  customer_id: (row) => row.customer?.customer_id ?? null,
  customer_name: (row) => row.customer?.name ?? null,
  customer_email: (row) => row.customer?.email ?? null,
  customer_reference: (row) => row.customer?.reference ?? null,
  customer_metadata: (row) => JSON.stringify(row.customer?.metadata ?? {}),
  line_items: (row) => JSON.stringify(row.line_items),
  capture_method: (row) => row.capture_method,
  capture_before: (row) => row.capture_before,
  subscription: (row) => json(row.subscription),
  invoice: (row) => json(row.invoice),
  allow_partial: (row) => row.allow_partial,
  minimum_amount: (row) => row.minimum_amount,
  installments: (row) => json(row.installments),
  usage_limit: (row) => row.usage_limit,
  uses_count: (row) => row.uses_count,
  uses_reserved: (row) => row.uses_reserved,
  paused: (row) => row.paused,
  custom_amount: (row) => json(row.custom_amount),
  parent_payment_id: (row) => row.parent_payment_id,
  subscription_id: (row) => row.subscription_id,
  success_url: (row) => row.success_url,
  cancel_url: (row) => row.cancel_url,
  locale: (row) => row.locale,
  metadata: (row) => JSON.stringify(row.metadata),
  payment_url: (row) => row.payment_url,
  receipt_url: (row) => row.receipt_url,
  pdf_url: (row) => row.pdf_url,
  pdf_problem: (row) => row.pdf_problem,
  invoice_number: (row) => row.invoice_number,
  credit_notes: (row) => JSON.stringify(row.credit_notes),
  last_error_code: (row) => row.last_error?.code ?? null,
  last_error_message: (row) => row.last_error?.message ?? null,
  livemode: (row) => row.livemode,
  transaction_ids: (row) => JSON.stringify(row.transaction_ids),
  reminders: (row) => json(row.reminders),
  expires_at: (row) => row.expires_at,
  due_at: (row) => row.due_at,
  created_at: (row) => row.created_at,
  updated_at: (row) => row.updated_at,
  paid_at: (row) => row.paid_at,
  paid_late_at: (row) => row.paid_late_at,
  write_off_reason: (row) => row.write_off_reason,
  canceled_at: (row) => row.canceled_at,
  cancellation_reason: (row) => row.cancellation_reason,
  viewed_at: (row) => row.viewed_at,
  amount_decimal: ({ amount, currency }) => (amount === null ? null : decimal(amount, currency)),
  paid_decimal: ({ amount_paid, currency }) => decimal(amount_paid, currency),
  refunded_decimal: ({ amount_refunded, currency }) => decimal(amount_refunded, currency),
  due_decimal: (row) => decimal(isAsked(row) ? row.amount_due : 0, row.currency),
  credited_decimal: ({ credit_notes: notes, currency }) =>
    decimal(
      notes.reduce((sum, { amount, voided_at }) => sum + (voided_at === null ? amount : 0), 0),
      currency,
    ),
  disputed_decimal: ({ amount_disputed, currency }) => decimal(amount_disputed, currency),
  net_decimal: ({ amount, currency, line_items: lines }) =>
    amount === null ? null : decimal(amount - taxIn(amount, lines), currency),
  tax_decimal: ({ amount, currency, line_items: lines }) =>
    amount === null ? null : decimal(taxIn(amount, lines), currency),
  account_name: ({ account_id }, { accountNames }) => accountNames.get(account_id) ?? null,
  issue_date: ({ invoice }) => invoice?.issue_date ?? null,
  due_date: ({ due_at }, { timeZone }) => (due_at === null ? null : calendarDay(due_at, timeZone)),
  local_date: ({ created_at }, { timeZone }) => calendarDay(created_at, timeZone),
} as const satisfies Record<string, (row: Payment, reading: Reading) => Cell>;

/** Minor units of tax in the amount, by its line items. */
const taxIn = (amount: number, lines: Payment["line_items"]): number =>
  lines.length === 0 ? 0 : amount - Number(lines.reduce((sum, line) => sum + netOf(line), 0n));

const decimal = (amount: number, currency: string): Cell => ({ decimal: decimalAmount(amount, currency) });

const json = (value: object | null): Cell => (value === null ? null : JSON.stringify(value));

export type ExportColumn = keyof typeof columns;

export const exportColumns = Object.keys(columns) as [ExportColumn, ...ExportColumn[]];

/** The columns that contain a secret link, by which anybody can see the payment request and pay it. */
const secretColumns: readonly ExportColumn[] = ["payment_url", "receipt_url", "pdf_url", "credit_notes"];

/** The columns of a file whose caller names none: files are passed on, so none with a secret link. */
export const columnsByDefault = exportColumns.filter((name) => !secretColumns.includes(name));

interface WithLinks extends Pick<Payment, "payment_url" | "receipt_url" | "pdf_url"> {
  credit_notes: readonly Pick<Payment["credit_notes"][number], "pdf_url">[];
}

/** A payment request as a line of NDJSON has it: without the fields that contain a secret link. */
export function lineOf({ payment_url, receipt_url, pdf_url, credit_notes: notes, ...row }: WithLinks): object {
  return { ...row, credit_notes: notes.map(({ pdf_url: _, ...note }) => note) };
}

/** A payment request's cells in the named columns. */
export const cellsOf = (row: Payment, names: readonly ExportColumn[], reading: Reading): Cell[] =>
  names.map((name) => columns[name](row, reading));
