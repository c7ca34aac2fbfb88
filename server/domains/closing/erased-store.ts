// Finds which records of responses have been erased since.
import { and, inArray, isNotNull } from "drizzle-orm";
import type { Reader } from "@/db/client";
import { customers, payments, transactions } from "@/db/tables";

/** The customers among those with these ids that have been erased. */
export const findErasedCustomers = (q: Reader, ids: readonly string[]) =>
  q
    .select()
    .from(customers)
    .where(and(inArray(customers.id, [...ids]), isNotNull(customers.erasedAt)));

/** The snapshots of payment requests. */
export const snapshotsOfPayments = (q: Reader, ids: readonly string[]) =>
  q
    .select({ id: payments.id, customer: payments.customer, customerId: payments.customerId })
    .from(payments)
    .where(inArray(payments.id, [...ids]));

/** The snapshots of transactions. */
export const snapshotsOfTransactions = (q: Reader, ids: readonly string[]) =>
  q
    .select({ id: transactions.id, customer: transactions.customer })
    .from(transactions)
    .where(inArray(transactions.id, [...ids]));
