// The address of the list of transactions, and the columns of the export for each of its columns.
import { exportedColumns } from "@/app/_ui/exported-columns";
import type { ListShape } from "@/app/_ui/list-query";
import type { ExportColumn } from "@/server/domains/transactions/export-columns";
import { transactionFilters } from "@/server/domains/transactions/schema";

export const listPath = "/dashboard/transactions";

export const transactionPath = (id: string): string => `${listPath}/${encodeURIComponent(id)}`;

/** The list's columns in their order, each with those of the file, whose amounts are decimals only. */
const exported = {
  created: ["created_at", "local_date"],
  type: ["type"],
  status: ["status"],
  account: ["account_id", "account_name", "destination_account_id", "destination_account_name"],
  // The list shows the first of these that there is.
  customer: ["customer_name", "customer_email", "reference", "description"],
  reference: ["reference"],
  description: ["description"],
  method: ["payment_method_type", "payment_method_brand", "payment_method_last4"],
  request: ["payment_id"],
  id: ["transaction_id"],
  fee: ["fee_decimal", "currency"],
  net: ["net_decimal", "destination_net_decimal", "currency"],
  refunded: ["refunded_decimal", "currency"],
  amount: [
    "direction",
    "amount_decimal",
    "fee_decimal",
    "disputed_decimal",
    "became_credit_decimal",
    "net_decimal",
    "destination_net_decimal",
    "currency",
  ],
} as const satisfies Record<string, readonly ExportColumn[]>;

export type ColumnKey = keyof typeof exported;

const columns = Object.keys(exported) as ColumnKey[];
const defaults: readonly ColumnKey[] = ["created", "type", "status", "customer", "method", "amount"];
const defaultsOfSeveral: readonly ColumnKey[] = [
  "created",
  "type",
  "status",
  "account",
  "customer",
  "method",
  "amount",
];

/** The list's shape; `hasAccounts` if the reader sees transactions of several accounts. */
export const listShape = (hasAccounts: boolean): ListShape => ({
  list: "transactions",
  path: listPath,
  filters: Object.keys(transactionFilters.shape),
  columns,
  defaults: hasAccounts ? defaultsOfSeveral : defaults,
});

/** How a row relates to others: bookkeepers need it, whatever the list shows. */
const always = ["transaction_id", "payment_id", "parent_transaction_id"] as const;

/** The export's columns for those of the list: always with the ids. */
export const exportColumnsFor = (shown: readonly string[]): ExportColumn[] => exportedColumns(exported, always, shown);
