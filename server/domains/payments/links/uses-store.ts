// Finds uses of reusable links.
import { and, asc, desc, eq, inArray, isNotNull, isNull, lte, ne, or, type SQL, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { unpaidStatuses } from "@/db/schema/values";
import { payments, transactions } from "@/db/tables";
import { unindexed } from "@/db/unindexed";
import type { WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import type { PaymentRow } from "../store";
import { lockMany } from "./lock-store";
import type { HeldPlaces } from "./rules";

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

/**
 * Locks up to `limit` uses of the link, in id order: those that are neither paid nor canceled and expire at another
 * time than the link, unless that time was set for the use alone.
 */
export async function lockOtherExpiry(
  tx: Tx,
  { linkId, expiresAt, limit }: { linkId: string; expiresAt: number; limit: number },
): Promise<string[]> {
  const isOther = and(
    eq(payments.parentPaymentId, linkId),
    isNull(payments.canceledAt),
    ne(payments.expiresAt, expiresAt),
    eq(payments.expiresAlone, false),
    or(isNull(payments.place), ne(payments.place, "taken")),
  );
  const rows = await tx
    .select({ id: payments.id })
    .from(payments)
    .where(isOther)
    .orderBy(asc(payments.id))
    .limit(limit);
  const ids = rows.map(({ id }) => id);
  await lockMany(tx, ids);
  return ids;
}

/** The use of the link that came too late last, of those that are not flagged yet. */
export async function findLatecomer(tx: Tx, linkId: string): Promise<PaymentRow | undefined> {
  const cameLate = and(
    eq(payments.parentPaymentId, linkId),
    isNotNull(payments.cameLateAt),
    isNull(payments.overLimitAt),
  );
  const [row] = await tx
    .select()
    .from(payments)
    .where(cameLate)
    .orderBy(desc(payments.cameLateAt), desc(payments.id))
    .limit(1);
  return row;
}

/** Whether at least `count` uses of the link wait for their payers to confirm a payment. */
export async function hasOpenConfirmations(tx: Tx, linkId: string, count: number): Promise<boolean> {
  const rows = await tx
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        eq(payments.parentPaymentId, linkId),
        // A literal, as in the index.
        sql`${payments.place} = 'held'`,
        eq(unindexed(payments.status), "requires_action"),
      ),
    )
    .limit(count);
  return rows.length >= count;
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

/**
 * The places of the link that this address holds, without those of charges that were begun just now: their answers are
 * still to come.
 */
export async function heldPlaces(
  { db, now }: Pick<WriteContext, "db" | "now">,
  { useId, ...holder }: Holder & { useId: string },
): Promise<HeldPlaces[]> {
  const begunBefore = now - limits.charge.startMs;
  const isAnswered = or(ne(transactions.status, "processing"), lte(unindexed(transactions.createdAt), begunBefore));
  return db
    .select({
      status: transactions.status,
      count: sql`count(distinct ${payments.id})`.mapWith(Number),
      hasOwn: sql`max(case when ${payments.id} = ${useId} then 1 else 0 end)`.mapWith((own) => Number(own) === 1),
    })
    .from(payments)
    .innerJoin(transactions, eq(transactions.paymentId, payments.id))
    .where(and(heldBy(holder), inArray(transactions.status, [...underWay]), isAnswered))
    .groupBy(transactions.status, sql`cast(${transactions.paymentMethod} as text)`);
}

const underWay = ["requires_action", "processing", "authorized"] as const;

/**
 * What may still charge the customer with this e-mail address, in a use of the link by this address: an attempt that
 * waits for its provider, or for the payer's confirmation. Undefined without one.
 */
export async function attemptInDoubt(
  tx: Tx,
  { linkId, payerKey, emailKey }: Holder & { emailKey: string },
): Promise<"processing" | "requires_action" | undefined> {
  const [row] = await tx
    .select({ status: transactions.status })
    .from(payments)
    .innerJoin(transactions, eq(transactions.paymentId, payments.id))
    .where(
      and(
        heldBy({ linkId, payerKey }),
        eq(unindexed(payments.customerEmailKey), emailKey),
        inArray(transactions.status, ["processing", "requires_action"]),
      ),
    )
    // `processing` first: its outcome is not known even to the payer.
    .orderBy(asc(transactions.status))
    .limit(1);
  return row?.status as "processing" | "requires_action" | undefined;
}
