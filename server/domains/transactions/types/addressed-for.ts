// Whom a new transaction is addressed to.
import { type Addressed, addressedTo, nobody, snapshotOf } from "@/server/domains/customers/addressed";
import { paymentRequests } from "../payment-requests";
import type { TransactionRow } from "../present";
import type { AnyCall } from "./call";

/**
 * The customer of a new transaction of the account, and its snapshot. One that counts towards a payment request belongs
 * to the customer of that, and has only a snapshot of its own. Customers are locked before payment requests.
 */
export async function addressedFor(
  { ctx, input: { customer }, fail }: AnyCall,
  account: Pick<TransactionRow, "id" | "organizationId">,
  paymentId: string | null,
): Promise<Addressed> {
  if (paymentId === null) return addressedTo(ctx, account, customer, fail);
  if (!customer) return nobody;
  if (customer.customer_id === undefined) return { customerId: null, customer: snapshotOf(customer) };
  const named = await addressedTo(ctx, account, customer, fail);
  const owners = await paymentRequests().customersOf(ctx.db, [paymentId]);
  if (owners.get(paymentId) === named.customerId) return { customerId: null, customer: named.customer };
  return fail("invalid_request", "customer.customer_id: must be the customer of the payment request");
}
