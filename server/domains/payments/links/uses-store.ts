// Finds uses of reusable links.
import { and, asc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { unpaidStatuses } from "@/db/schema/values";
import { payments, transactions } from "@/db/tables";
import { unindexed } from "@/db/unindexed";
import { lockMany } from "./lock-store";

/** Locks up to `limit` uses of the link that are neither paid nor ended and that nobody is paying, in id order. */
export async function lockIdleUses(tx: Tx, linkId: string, limit: number): Promise<string[]> {
  const isIdle = and(
    eq(payments.parentPaymentId, linkId),
    isNull(payments.canceledAt),
    isNull(payments.place),
    inArray(payments.status, [...unpaidStatuses]),
  );
  const find = () => tx.select({ id: payments.id }).from(payments).where(isIdle).orderBy(asc(payments.id)).limit(limit);
  const ids = (await find()).map(({ id }) => id);
  await lockMany(tx, ids);
  return ids;
}

interface Holder {
  linkId: string;
  payerKey: string;
}

/** The condition that a use of the link holds a place, and was begun by this address. */
const heldBy = ({ linkId, payerKey }: Holder): SQL | undefined =>
  and(
    eq(payments.parentPaymentId, linkId),
    // A literal, as in the index.
    sql`${payments.place} = 'held'`,
    eq(payments.payerKey, payerKey),
  );

/** How many uses of the link wait for a confirmation by the owner of a card, and were begun by this address. */
export async function countUnconfirmed(tx: Tx, { linkId, payerKey }: Holder): Promise<number> {
  const [row] = await tx
    .select({ count: sql`count(distinct ${payments.id})`.mapWith(Number) })
    .from(payments)
    .innerJoin(transactions, eq(transactions.paymentId, payments.id))
    .where(and(heldBy({ linkId, payerKey }), eq(transactions.status, "requires_action")));
  return row?.count ?? 0;
}

/** Whether a use of the link by this address, for the customer with this e-mail address, waits for its provider. */
export async function isInDoubt(
  tx: Tx,
  { linkId, payerKey, emailKey }: Holder & { emailKey: string },
): Promise<boolean> {
  const [row] = await tx
    .select({ id: payments.id })
    .from(payments)
    .innerJoin(transactions, eq(transactions.paymentId, payments.id))
    .where(
      and(
        heldBy({ linkId, payerKey }),
        eq(unindexed(payments.customerEmailKey), emailKey),
        eq(transactions.status, "processing"),
      ),
    )
    .limit(1);
  return row !== undefined;
}
