// The address of the list of payment requests, and its tabs.
import { exportedColumns } from "@/app/_ui/exported-columns";
import { type ListQuery, type ListShape, listAddress, withoutFilter } from "@/app/_ui/list-query";
import type { ExportColumn } from "@/server/domains/payments/export-columns";
import { filtersOfTab, type Tab } from "@/server/domains/payments/status-tabs";

/** A tab of a list. What is overdue is open, too; only the list of invoices has a tab for it. */
export type TabName = Tab | "overdue";

/** The filters of each tab, as the address writes them. */
export const tabQuery = (tab: TabName): ListQuery["filters"] =>
  Object.fromEntries(
    Object.entries(tab === "overdue" ? { overdue: true } : filtersOfTab[tab]).map(([name, value]) => [
      name,
      String(value),
    ]),
  );

/** What the file says of amounts, which are decimals only. */
export const exportedAmounts = [
  ...(["amount_decimal", "paid_decimal", "refunded_decimal", "disputed_decimal", "due_decimal", "currency"] as const),
];

/** The list's columns in their order, each with those of the file. */
const exported = {
  for: ["description"],
  customer: ["customer_name", "customer_email"],
  amount: exportedAmounts,
  status: ["status"],
  due: ["due_date"],
  created: ["created_at", "local_date"],
  expires: ["expires_at"],
  account: ["account_id", "account_name"],
  reference: ["reference"],
  type: ["type"],
  id: ["payment_id"],
  // Anybody with the link can pay, and files are passed on.
  link: [],
} satisfies Record<string, readonly ExportColumn[]>;

/** The export's columns for those of the list: always with the id and the number. */
export const exportColumnsFor = (shown: readonly string[]): ExportColumn[] =>
  exportedColumns<ExportColumn>(exported, ["payment_id", "invoice_number"], shown);

/** The tabs in their order. */
export const tabNames = Object.keys(filtersOfTab) as Tab[];

export const listShape: ListShape = {
  list: "payment_requests",
  path: "/dashboard/payment-requests",
  filters: [
    "q",
    "status",
    "open",
    "type",
    "customer_email",
    "reference",
    "currency",
    "overdue",
    "reusable",
    "paused",
    "many_declines",
    "over_limit",
    "requested",
    "credited",
    "overpaid",
    "disputed_lost",
    "paid_late",
    "link_requested",
    "reminder_waiting",
    "parent_payment_id",
    "subscription_id",
    "ends_before",
    "account_id",
    "customer_id",
    "created_from",
    "created_to",
  ],
  columns: Object.keys(exported),
  defaults: ["for", "customer", "amount", "status", "created", "link"],
  tabs: tabNames.map(tabQuery),
};

/** The address of the overdue ones among those that the list shows. */
export const overdueAddress = (query: ListQuery): string =>
  listAddress(query, { filters: { ...query.filters, overdue: "true" } });

/** The filters without those that the tabs of the list set. */
export const ofAnyTab = ({ shape: { tabs = [] }, filters }: Pick<ListQuery, "shape" | "filters">) =>
  tabs.flatMap(Object.keys).reduce(withoutFilter, filters);

/** The address of the list in a tab, with the other filters unchanged; null for all payment requests. */
export function tabAddress(query: ListQuery, tab: TabName | null): string {
  const others = ofAnyTab(query);
  return listAddress(query, { filters: tab === null ? others : { ...others, ...tabQuery(tab) } });
}
