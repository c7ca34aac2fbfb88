// Finds payment requests by their customers: for the job that gives them theirs, and to erase one.
import { and, asc, eq, gt, inArray, isNull, type SQL } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { payments } from "@/db/tables";
import { unindexed } from "@/db/unindexed";

const { id, organizationId, accountId, customerId, customer, createdAt } = payments;
const addressee = { id, organizationId, accountId, customerId, customer, createdAt };

/** The customers and snapshots of payment requests of all organizations after an id, in id order. */
export const findAddresseesAfter = (q: Reader, afterId: string, limit: number) =>
  q.select(addressee).from(payments).where(gt(id, afterId)).orderBy(asc(id)).limit(limit);

/** The same of the payment requests with these ids, in id order. */
export const readAddressees = (q: Reader, ids: readonly string[]) =>
  q
    .select(addressee)
    .from(payments)
    .where(inArray(id, [...ids]))
    .orderBy(asc(id));

/** Payment requests that are erased together with their customers. */
interface Erasure {
  organizationId: string;
  accountId: string;
  customerIds: readonly string[];
  /** Folded addresses of these customers alone, for payment requests that the job has not linked to a customer yet. */
  emailKeys: readonly string[];
}

/** The ids of up to `limit` payment requests of the customers after an id, in id order. */
export async function paymentIdsOf(
  tx: Tx,
  { organizationId, accountId, customerIds, emailKeys }: Erasure,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const isUnlinked = and(
    eq(payments.organizationId, organizationId),
    inArray(payments.customerEmailKey, [...emailKeys]),
    isNull(payments.customerId),
    eq(unindexed(payments.accountId), accountId),
  );
  const idsWith = async (condition: SQL | undefined) => {
    const found = tx
      .select({ id: payments.id })
      .from(payments)
      .where(and(condition, gt(unindexed(payments.id), after)));
    return (await found.orderBy(asc(payments.id)).limit(limit)).map(({ id }) => id);
  };
  // One after the other, because each has an index of its own.
  const linked = await idsWith(inArray(payments.customerId, [...customerIds]));
  const unlinked = emailKeys.length === 0 ? [] : await idsWith(isUnlinked);
  return [...linked, ...unlinked].sort().slice(0, limit);
}
