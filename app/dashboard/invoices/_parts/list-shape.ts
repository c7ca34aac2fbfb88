// The address of the list of invoices: payment requests of that type, with fewer filters and columns of their own.
import { exportedColumns } from "@/app/_ui/exported-columns";
import type { ListShape } from "@/app/_ui/list-query";
import type { ExportColumn } from "@/server/domains/payments/export-columns";
import { exportedAmounts, type TabName, tabQuery } from "../../payment-requests/_parts/list-shape";

/** The list's columns in their order, each with those of the file. */
const exported = {
  number: ["invoice_number"],
  customer: ["customer_name", "customer_email"],
  amount: ["net_decimal", "tax_decimal", ...exportedAmounts],
  status: ["status"],
  due: ["due_date"],
  credited: ["credited_decimal", "currency"],
  issued: ["issue_date"],
  account: ["account_id", "account_name"],
  for: ["description"],
  id: ["payment_id"],
  // The address of the paper contains the pay link, and files are passed on.
  paper: [],
} satisfies Record<string, readonly ExportColumn[]>;

/** The export's columns for those of the list: always with what bookkeepers need of an invoice, and the id. */
export const exportColumnsFor = (shown: readonly string[]): ExportColumn[] =>
  exportedColumns<ExportColumn>(exported, ["invoice_number", "payment_id", "issue_date"], shown);

/** The tabs in their order. Reusable links are never invoices, and what is overdue is worth a tab. */
export const tabNames: readonly TabName[] = [
  ...(["drafts", "open", "overdue", "to_capture", "paid", "expired", "canceled"] as const),
];

/** Invoices are seldom authorized first, and expire only where that was asked for. */
export const rareTabs: readonly TabName[] = ["to_capture", "expired"];

export const listShape: ListShape = {
  list: "invoices",
  path: "/dashboard/invoices",
  filters: [
    ...["q", "status", "open", "overdue", "credited", "created_from", "created_to"],
    ...["customer_email", "customer_id", "reference", "currency", "account_id"],
  ],
  columns: Object.keys(exported),
  defaults: ["number", "customer", "amount", "status", "due", "credited", "account", "paper"],
  tabs: tabNames.map(tabQuery),
};
