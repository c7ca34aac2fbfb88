// The address of the list of invoices: payment requests of that type, with fewer filters and columns of their own.
import type { ListShape } from "@/app/_ui/list-query";
import { listShape as requests } from "../../payment-requests/_parts/list-shape";

export const listShape: ListShape = {
  list: "invoices",
  path: "/dashboard/invoices",
  filters: [
    ...["q", "status", "open", "overdue", "credited", "created_from", "created_to"],
    ...["customer_email", "customer_id", "reference", "currency", "account_id"],
  ],
  columns: ["number", "customer", "amount", "status", "due", "credited", "issued", "account", "for", "id", "paper"],
  defaults: ["number", "customer", "amount", "status", "due", "credited", "account", "paper"],
  tabs: requests.tabs,
};
