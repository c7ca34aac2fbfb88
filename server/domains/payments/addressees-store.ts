// Finds payment requests by their customers: to erase them with one.
import { and, asc, eq, gt, inArray, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { payments } from "@/db/tables";
import { unindexed } from "@/db/unindexed";
import { lockPayments } from "./store";

/** Payment requests that are erased together with their customers. */
interface Erasure {
  organizationId: string;
  accountId: string;
  customerIds: readonly string[];
  /** Folded addresses of these customers alone, for uses of links whose payers are no customers. */
  emailKeys: readonly string[];
  /** Their references, for drafts, which are linked to a customer only if they name its id. */
  references: readonly string[];
  /** What names no customer and was made later is somebody else's. Epoch ms. */
  erasedAt: number;
}

/** The conditions of payment requests to these customers; one after the other, because each has an index of its own. */
function isTo({
  organizationId,
  accountId,
  customerIds,
  emailKeys,
  references,
  erasedAt,
}: Erasure): (SQL | undefined)[] {
  const unlinked = (condition: SQL | undefined) =>
    and(
      eq(payments.organizationId, organizationId),
      condition,
      isNull(payments.customerId),
      eq(unindexed(payments.accountId), accountId),
      lte(unindexed(payments.createdAt), erasedAt),
    );
  const hasReference = inArray(sql`${payments.customer}->>'reference'`, [...references]);
  return [
    inArray(payments.customerId, [...customerIds]),
    ...(emailKeys.length === 0 ? [] : [unlinked(inArray(payments.customerEmailKey, [...emailKeys]))]),
    ...(references.length === 0 ? [] : [unlinked(and(eq(payments.status, "draft"), hasReference))]),
  ];
}

/** The ids of up to `limit` payment requests of the customers after an id, in id order. */
export async function paymentIdsOf(
  tx: Tx,
  erasure: Erasure,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const found: string[] = [];
  for (const condition of isTo(erasure)) {
    const matching = and(condition, gt(unindexed(payments.id), after));
    const rows = tx.select({ id: payments.id }).from(payments).where(matching);
    found.push(...(await rows.orderBy(asc(payments.id)).limit(limit)).map(({ id: one }) => one));
  }
  return [...new Set(found)].sort().slice(0, limit);
}

/** Locks payment requests. Resolves to the ids of those that are still addressed to the customers. */
export async function lockAddressed(tx: Tx, erasure: Erasure, ids: readonly string[]): Promise<string[]> {
  await lockPayments(tx, ids);
  const isOne = and(inArray(payments.id, [...ids]), or(...isTo(erasure)));
  const rows = await tx.select({ id: payments.id }).from(payments).where(isOne);
  return rows.map(({ id: one }) => one);
}
