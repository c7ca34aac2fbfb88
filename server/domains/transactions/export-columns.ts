// The columns of exported transactions, in order: the wire fields under their names, nested fields flattened, then
// columns for bookkeeping.
import type { Reading } from "@/server/domains/accounts/record-export";
import type { Cell } from "@/server/kit/csv";
import { decimalAmount } from "@/server/kit/currency";
import { calendarDay } from "@/server/kit/phrases";
import type { Transaction } from "./schema";

const columns = {
  transaction_id: (row) => row.transaction_id,
  account_id: (row) => row.account_id,
  type: (row) => row.type,
  status: (row) => row.status,
  direction: (row) => row.direction,
  amount: (row) => row.amount,
  currency: (row) => row.currency,
  fee_amount: (row) => row.fee_amount,
  net_amount: (row) => row.net_amount,
  amount_captured: (row) => row.amount_captured,
  amount_refunded: (row) => row.amount_refunded,
  amount_disputed: (row) => row.amount_disputed,
  amount_credited: (row) => row.amount_credited,
  amount_credit_spent: (row) => row.amount_credit_spent,
  customer_id: (row) => row.customer_id,
  payment_id: (row) => row.payment_id,
  parent_transaction_id: (row) => row.parent_transaction_id,
  destination_account_id: (row) => row.destination_account_id,
  payment_method_type: (row) => row.payment_method?.type ?? null,
  payment_method_brand: (row) => row.payment_method?.brand ?? null,
  payment_method_last4: (row) => row.payment_method?.last4 ?? null,
  payment_method_exp_month: (row) => row.payment_method?.exp_month ?? null,
  payment_method_exp_year: (row) => row.payment_method?.exp_year ?? null,
  provider: (row) => row.provider,
  provider_reference: (row) => row.provider_reference,
  failure_code: (row) => row.failure?.code ?? null,
  failure_message: (row) => row.failure?.message ?? null,
  reason: (row) => row.reason,
  reference: (row) => row.reference,
  description: (row) => row.description,
  customer_name: (row) => row.customer?.name ?? null,
  customer_email: (row) => row.customer?.email ?? null,
  customer_reference: (row) => row.customer?.reference ?? null,
  customer_metadata: (row) => JSON.stringify(row.customer?.metadata ?? {}),
  metadata: (row) => JSON.stringify(row.metadata),
  effective_at: (row) => row.effective_at,
  livemode: (row) => row.livemode,
  created_at: (row) => row.created_at,
  updated_at: (row) => row.updated_at,
  settled_at: (row) => row.settled_at,
  // In every row, net is this less the fee, what is disputed, and what became credit.
  amount_decimal: (row) => decimal(moved(row), row.currency),
  fee_decimal: ({ fee_amount, currency }) => decimal(fee_amount, currency),
  net_decimal: ({ net_amount, currency }) => decimal(net_amount, currency),
  account_name: ({ account_id }, { accountNames }) => accountNames.get(account_id) ?? null,
  destination_account_name: ({ destination_account_id: id }, { accountNames }) =>
    id === null ? null : (accountNames.get(id) ?? null),
  local_date: ({ effective_at }, { timeZone }) => calendarDay(effective_at, timeZone),
  refunded_decimal: ({ amount_refunded, currency }) => decimal(amount_refunded, currency),
  disputed_decimal: ({ amount_disputed, currency }) => decimal(amount_disputed, currency),
  became_credit_decimal: (row) =>
    decimal(moved(row) - row.fee_amount - row.amount_disputed - row.net_amount, row.currency),
  destination_net_decimal: ({ type, direction, amount, currency }) =>
    type === "transfer" && direction === "out" ? decimal(amount, currency) : null,
} as const satisfies Record<string, (row: Transaction, reading: Reading) => Cell>;

/** Minor units that have moved, negative if out of the account. */
function moved({ type, status, direction, amount, amount_captured: captured }: Transaction): number {
  const size = type === "payment" ? captured : status === "failed" ? 0 : amount;
  return direction === "in" ? size : 0 - size;
}

const decimal = (amount: number, currency: string): Cell => ({ decimal: decimalAmount(amount, currency) });

export type ExportColumn = keyof typeof columns;

export const exportColumns = Object.keys(columns) as [ExportColumn, ...ExportColumn[]];

/** A transaction's cells in the named columns. */
export const cellsOf = (row: Transaction, names: readonly ExportColumn[], reading: Reading): Cell[] =>
  names.map((name) => columns[name](row, reading));
