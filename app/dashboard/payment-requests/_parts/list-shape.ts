// The address of the list of payment requests, and its tabs.
import { type ListQuery, type ListShape, listAddress, withoutFilter } from "@/app/_ui/list-query";
import { type Tab, tabs } from "@/server/domains/payments/status-tabs";

/** The statuses of each tab, as the address writes them. */
export const statusesOf = (tab: Tab): string => tabs[tab].join(",");

export const listShape: ListShape = {
  list: "payment_requests",
  path: "/dashboard/payment-requests",
  filters: [
    "q",
    "status",
    "type",
    "customer_email",
    "reference",
    "currency",
    "overdue",
    "ends_before",
    "account_id",
    "customer_id",
    "created_from",
    "created_to",
  ],
  columns: [
    "for",
    "customer",
    "amount",
    "status",
    "due",
    "created",
    "expires",
    "account",
    "reference",
    "type",
    "id",
    "link",
  ],
  defaults: ["for", "customer", "amount", "status", "created", "link"],
  tabs: { filter: "status", values: (Object.keys(tabs) as Tab[]).map(statusesOf) },
};

/** The address of the overdue ones among those that the list shows. */
export const overdueAddress = (query: ListQuery): string =>
  listAddress(query, { filters: { ...query.filters, overdue: "true" } });

/** The address of the list in a tab, with the other filters unchanged; null for all payment requests. */
export function tabAddress(query: ListQuery, tab: Tab | null): string {
  const others = withoutFilter(query.filters, "status");
  return listAddress(query, { filters: tab === null ? others : { ...others, status: statusesOf(tab) } });
}
