// The filter by one customer, whose id comes with a link.
import type { FilterField } from "@/app/_ui/filter-field";
import { limits } from "@/server/kit/limits";

/** `name`: that of the customer that the list is filtered by, if it is known. */
export const customerField = (labels: { customer: string; customerId: string }, name: string | null): FilterField => ({
  name: "customer_id",
  label: labels.customerId,
  kind: "text",
  maxLength: limits.id,
  named: name === null ? null : { label: labels.customer, value: name },
});
