// The few subscriptions with a rare word: of the payment request that began them, or of their customer.
import { and, count, eq, inArray, isNotNull } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { beginsWith } from "@/db/prefix";
import { customerWords, payments, paymentWords, subscriptions } from "@/db/tables";
import { limits } from "@/server/kit/limits";

/** A query for the ids of at most so many records of one kind. */
type Ids = ReturnType<typeof paymentsHaving>;

/** Whether so few have the word, or share a customer with one that has it, that reading them all is worth it. */
export async function areFew(q: Reader, organizationId: string, word: string): Promise<boolean> {
  const { few } = limits.look;
  for (const having of [paymentsHaving, customersHaving, subscriptionsHaving]) {
    const [row] = await q.select({ total: count() }).from(having(q, organizationId, word, few + 1).as("few"));
    if ((row?.total ?? 0) > few) return false;
  }
  return true;
}

const paymentsHaving = (q: Reader, organizationId: string, word: string, most: number) =>
  q
    .select({ id: paymentWords.paymentId })
    .from(paymentWords)
    .where(and(eq(paymentWords.organizationId, organizationId), beginsWith(paymentWords.word, word)))
    .limit(most);

const customersHaving = (q: Reader, organizationId: string, word: string, most: number) =>
  q
    .select({ id: customerWords.customerId })
    .from(customerWords)
    .where(and(eq(customerWords.organizationId, organizationId), beginsWith(customerWords.word, word)))
    .limit(most) as unknown as Ids;

/**
 * Those of the customers, those that a payment request with the word belongs to, and the others of its customer: a
 * payment request that was tried again began several and names only the last.
 */
export function subscriptionsHaving(q: Reader, organizationId: string, word: string, most: number): Ids {
  const { id, customerId } = subscriptions;
  const requests = paymentsHaving(q, organizationId, word, most);
  const ofRequests = q
    .select({ id: payments.subscriptionId })
    .from(payments)
    .where(and(inArray(payments.id, requests), isNotNull(payments.subscriptionId)));
  const payers = q
    .select({ id: payments.customerId })
    .from(payments)
    .where(and(inArray(payments.id, requests), isNotNull(payments.subscriptionId)));
  const ofCustomers = (ids: typeof payers | Ids) =>
    q.select({ id }).from(subscriptions).where(inArray(customerId, ids));
  return ofRequests
    .union(ofCustomers(payers) as never)
    .union(ofCustomers(customersHaving(q, organizationId, word, most)) as never)
    .limit(most) as unknown as Ids;
}
