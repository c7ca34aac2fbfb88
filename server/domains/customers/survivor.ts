// The filter by customer: it must name one that the caller sees, and one that was merged leads to its survivor.
import type { ReadContext } from "@/server/kit/context";
import type { Fail } from "@/server/kit/operation";
import { survivorOf } from "./make";
import { findCustomer } from "./store";

/** The filters, with the customer that has the payment requests of the one that they name. */
export async function withSurvivor<Filters extends { customer_id?: string | undefined }>(
  { db, scope }: Pick<ReadContext, "db" | "scope">,
  filters: Filters,
  fail: Fail<"customer_not_found">,
): Promise<Filters> {
  if (filters.customer_id === undefined) return filters;
  const row = (await findCustomer(db, scope, filters.customer_id)) ?? fail("customer_not_found");
  return { ...filters, customer_id: survivorOf(row) };
}
