// Finds the transactions that are about a customer.
import { and, asc, eq, exists, gt, inArray, isNull, lte, not, notInArray, or, type SQL, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { lock } from "@/db/lock";
import { customers, transactions } from "@/db/tables";
import { unindexed } from "@/db/unindexed";

/**
 * By what transactions without a payment request are known to be about a customer: by its id, or, if an earlier version
 * recorded them, by what their snapshots say.
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

/** The ids of the refunds of transactions, which have their snapshots, unless they name other customers. */
export async function idsOfRefunds(tx: Tx, ids: readonly string[], customerIds: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { customerId } = transactions;
  const rows = await tx
    .select({ id: transactions.id })
    .from(transactions)
    .where(
      and(
        inArray(transactions.parentTransactionId, [...ids]),
        or(isNull(unindexed(customerId)), inArray(unindexed(customerId), [...customerIds])),
      ),
    );
  return rows.map(({ id }) => id);
}

/**
 * Up to `limit` transactions without a payment request that are the customer's, or that name no customer and whose
 * snapshot has a reference of the customer, or an address of the customer and no reference of another one; after an id,
 * in id order.
 */
export async function findAbout(
  tx: Tx,
  { organizationId, accountId, customerIds, emailKeys, references, erasedAt }: Keys,
  { after, limit }: { after: string; limit: number },
) {
  const { id, customerId, customerEmailKey, customerReference } = transactions;
  const isOfAnother = exists(
    tx
      .select({ one: sql`1` })
      .from(customers)
      .where(
        and(
          eq(customers.accountId, transactions.accountId),
          eq(customers.reference, customerReference),
          notInArray(customers.id, [...customerIds]),
        ),
      ),
  );
  const says = (condition: SQL | undefined) =>
    and(isNull(unindexed(customerId)), lte(transactions.createdAt, erasedAt), condition);
  return tx
    .select({ id, emailKey: customerEmailKey })
    .from(transactions)
    .where(
      and(
        eq(transactions.organizationId, organizationId),
        eq(transactions.accountId, accountId),
        isNull(transactions.paymentId),
        gt(id, after),
        or(
          inArray(customerId, [...customerIds]),
          says(inArray(customerReference, [...references])),
          says(and(inArray(customerEmailKey, [...emailKeys]), not(isOfAnother))),
        ),
      ),
    )
    .orderBy(asc(id))
    .limit(limit);
}
