// Finds the transactions that are about a customer.
import { and, asc, eq, exists, gt, inArray, isNull, lte, not, notInArray, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Tx } from "@/db/client";
import { lock } from "@/db/lock";
import { customers, transactions } from "@/db/tables";
import { unindexed } from "@/db/unindexed";
import { paymentRequests } from "./payment-requests";

/**
 * By what transactions are known to be about a customer: by its id, or by what their snapshots say. Those with a payment
 * request of another customer have no id.
 */
export interface Keys {
  organizationId: string;
  accountId: string;
  customerIds: readonly string[];
  /** Folded e-mail addresses of this customer alone. */
  emailKeys: readonly string[];
  references: readonly string[];
  /** Later snapshots are not about this customer. Epoch ms. */
  erasedAt: number;
}

/** Locks the transactions until the database transaction ends. */
export const lockRows = (tx: Tx, ids: readonly string[]): Promise<void> => lock(tx, transactions, ids);

/** The ids of all transactions of payment requests. */
export async function idsOfPayments(tx: Tx, paymentIds: readonly string[]): Promise<string[]> {
  if (paymentIds.length === 0) return [];
  const rows = await tx
    .select({ id: transactions.id })
    .from(transactions)
    .where(inArray(transactions.paymentId, [...paymentIds]));
  return rows.map(({ id }) => id);
}

const parents = alias(transactions, "parents");

/** The ids of the refunds of transactions, which have their snapshots, unless they name other customers. */
export async function idsOfRefunds(tx: Tx, ids: readonly string[], customerIds: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { customerId, customerEmailKey, customerReference } = transactions;
  const saysTheSame = and(
    isNull(unindexed(customerId)),
    sql`${customerEmailKey} is not distinct from ${parents.customerEmailKey}`,
    sql`${customerReference} is not distinct from ${parents.customerReference}`,
  );
  const rows = await tx
    .select({ id: transactions.id })
    .from(transactions)
    .innerJoin(parents, eq(parents.id, transactions.parentTransactionId))
    .where(
      and(
        inArray(transactions.parentTransactionId, [...ids]),
        or(saysTheSame, inArray(unindexed(customerId), [...customerIds])),
      ),
    );
  return rows.map(({ id }) => id);
}

/** The conditions of transactions about the customer; one after the other, because each has an index of its own. */
function isAbout(tx: Tx, { organizationId, accountId, customerIds, emailKeys, references, erasedAt }: Keys) {
  const { customerId, customerEmailKey, customerReference, paymentId, createdAt } = transactions;
  const isOfAnother = exists(
    tx
      .select({ one: sql`1` })
      .from(customers)
      .where(
        and(
          eq(customers.accountId, accountId),
          eq(customers.reference, customerReference),
          notInArray(customers.id, [...customerIds]),
        ),
      ),
  );
  const isOfAccount = eq(unindexed(transactions.accountId), accountId);
  // What its payment request says too is about the customer of that.
  const said = { emailKey: sql`${customerEmailKey}`, reference: sql`${customerReference}` };
  const isOfRequest = exists(paymentRequests().idsWithCustomer(tx, sql`${paymentId}`, said, emailKeys));
  const says = (condition: SQL) =>
    and(
      eq(transactions.organizationId, organizationId),
      condition,
      isOfAccount,
      not(isOfRequest),
      isNull(unindexed(customerId)),
      lte(unindexed(createdAt), erasedAt),
    );
  return [
    and(inArray(customerId, [...customerIds]), isOfAccount),
    ...(references.length === 0 ? [] : [says(inArray(customerReference, [...references]))]),
    ...(emailKeys.length === 0 ? [] : [and(says(inArray(customerEmailKey, [...emailKeys])), not(isOfAnother))]),
  ];
}

/**
 * Up to `limit` transactions that are the customer's, or that name no customer and whose snapshot has a reference of the
 * customer, or an address of the customer and no reference of another one; after an id, in id order. Those that repeat
 * what their payment request says are about its customer: `idsOfPayments` finds them.
 */
export async function findAbout(tx: Tx, keys: Keys, { after, limit }: { after: string; limit: number }) {
  const { id, customerEmailKey } = transactions;
  const found = new Map<string, string | null>();
  for (const condition of isAbout(tx, keys)) {
    const rows = await tx
      .select({ id, emailKey: customerEmailKey })
      .from(transactions)
      .where(and(condition, gt(unindexed(id), after)))
      .orderBy(asc(id))
      .limit(limit);
    for (const row of rows) found.set(row.id, row.emailKey);
  }
  const ids = [...found.keys()].sort().slice(0, limit);
  return ids.map((one) => ({ id: one, emailKey: found.get(one) ?? null }));
}
