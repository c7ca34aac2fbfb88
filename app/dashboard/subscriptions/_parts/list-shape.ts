// The address of the list of subscriptions: its filters and columns.
import type { ListShape } from "@/app/_ui/list-query";
import { listPath } from "./subscription-path";

export const listShape: ListShape = {
  list: "subscriptions",
  path: listPath,
  filters: ["q", "status", "pause_reason", "missed", "customer_id", "account_id"],
  columns: ["customer", "amount", "status", "next", "card", "account", "created", "id"],
  defaults: ["customer", "amount", "status", "next", "card"],
};
