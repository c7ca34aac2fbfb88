// Finds the customers and snapshots of transactions, for the job that gives older ones their customers.
import { asc, eq, gt, inArray, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Reader } from "@/db/client";
import { customers, transactions } from "@/db/tables";

const { id, organizationId, accountId, customerId, customer, paymentId, parentTransactionId, createdAt } = transactions;
const parents = alias(transactions, "parents");

/** Up to `limit` transactions of all organizations after an id, in id order. */
export const findAddresseesAfter = (q: Reader, afterId: string, limit: number) =>
  q
    .select({ id, customerId, customer, paymentId })
    .from(transactions)
    .where(gt(id, afterId))
    .orderBy(asc(id))
    .limit(limit);

/** The transactions with these ids, in id order; of refunds, also the customer and the snapshot of the payment. */
export const readAddressees = (q: Reader, ids: readonly string[]) =>
  q
    .select({
      ...{ id, organizationId, accountId, customerId, customer, parentTransactionId, createdAt },
      parentCustomer: parents.customer,
      parentCustomerId: sql<string | null>`coalesce(${customers.mergedInto}, ${customers.id})`,
    })
    .from(transactions)
    .leftJoin(parents, eq(parents.id, parentTransactionId))
    .leftJoin(customers, eq(customers.id, parents.customerId))
    .where(inArray(id, [...ids]))
    .orderBy(asc(id));
