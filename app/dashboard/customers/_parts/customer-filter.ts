// The filter of other lists by a customer: its chip shows who that is.
import { api } from "@/app/_trpc/server";
import type { ListQuery } from "@/app/_ui/list-query";
import { failureOf } from "@/server/pipeline/trpc-router";
import { nameOf } from "./customer-path";

/** The name of the customer that the list is filtered by; null without one whom the reader may see. */
export async function filteredCustomer({ filters }: ListQuery): Promise<string | null> {
  const customer_id = filters["customer_id"];
  if (customer_id === undefined) return null;
  try {
    return nameOf(await (await api()).customers.get({ customer_id }));
  } catch (error) {
    if (["customer_not_found", "invalid_request"].includes(failureOf(error).code)) return null;
    throw error;
  }
}
