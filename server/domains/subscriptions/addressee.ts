// Whom a subscription asks to pay, and the payment request that says so.
import type { Reader } from "@/db/client";
import type { Customer } from "@/db/schema/values";
import { readCustomer } from "@/server/domains/customers/store";
import type { PaymentRow } from "@/server/domains/payments/store";
import { readSubscription, type SubscriptionRow } from "./store";

/**
 * The customer as it is now, which may have changed since the first payment request; of a subscription without one, whom
 * the first payment request names.
 */
export async function addresseeOf(
  q: Reader,
  { customerId }: Pick<SubscriptionRow, "customerId">,
  first: PaymentRow,
): Promise<Customer | null> {
  const customer = customerId === null ? undefined : await readCustomer(q, customerId);
  if (!customer) return first.customer;
  const { name, email, reference, metadata } = customer;
  return { name, email, reference, metadata };
}

/** The payment request that began the subscription. Throws for an unknown one. */
export async function firstPaymentIdOf(q: Reader, id: string): Promise<string> {
  const row = await readSubscription(q, id);
  if (!row) throw new Error(`No subscription has the id ${id}.`);
  return row.firstPaymentId;
}
