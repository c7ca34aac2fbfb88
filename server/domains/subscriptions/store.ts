// Finds, locks and writes subscriptions and their cycles.
import { and, asc, eq, inArray, isNotNull, lte, notInArray, or, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { lock } from "@/db/lock";
import { preparedOne, slot } from "@/db/prepared";
import { accounts, subscriptionCycles, subscriptions } from "@/db/tables";
import type { Scope } from "@/server/kit/context";
import { isId } from "@/server/kit/ids";
import { deleteCardLinks } from "./card-link-store";

export type SubscriptionRow = typeof subscriptions.$inferSelect;
type NewSubscriptionRow = typeof subscriptions.$inferInsert;
export type CycleRow = typeof subscriptionCycles.$inferSelect;

const byId = preparedOne("subscriptions.by_id", (q: Reader) =>
  q
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.id, slot("id"))),
);

/** The subscription, of any organization. */
export const readSubscription = (q: Reader, id: string): Promise<SubscriptionRow | undefined> => byId(q, { id });

/** The subscription, if the scope sees its account. */
export async function findSubscription(q: Reader, scope: Scope, id: string): Promise<SubscriptionRow | undefined> {
  if (!isId("sub", id)) return undefined;
  const [found] = await q
    .select({ subscription: subscriptions, ownerUserId: accounts.ownerUserId })
    .from(subscriptions)
    .innerJoin(accounts, eq(accounts.id, subscriptions.accountId))
    .where(and(eq(subscriptions.id, id), eq(subscriptions.organizationId, scope.organizationId)));
  if (!found) return undefined;
  const isOwn = scope.ownerUserId === null || scope.ownerUserId === found.ownerUserId;
  const isBound = scope.accountId === null || scope.accountId === found.subscription.accountId;
  return isOwn && isBound ? found.subscription : undefined;
}

/** Locks the rows in id order, until the transaction ends. */
export const lockSubscriptions = (tx: Tx, ids: readonly string[]): Promise<void> => lock(tx, subscriptions, ids);

/**
 * Locks the row until the transaction ends, and reads it. Who locks one of its payment requests has locked it already.
 */
export async function lockSubscription(tx: Tx, id: string): Promise<SubscriptionRow | undefined> {
  await lock(tx, subscriptions, [id]);
  return readSubscription(tx, id);
}

/** Inserts the subscription. */
export async function insertSubscription(tx: Tx, row: NewSubscriptionRow): Promise<SubscriptionRow> {
  const [inserted] = await tx.insert(subscriptions).values(row).returning();
  if (!inserted) throw new Error(`The subscription ${row.id} was not written.`);
  return inserted;
}

/** Changes a subscription that the caller has locked. */
export async function updateSubscription(
  tx: Tx,
  id: string,
  change: Partial<NewSubscriptionRow>,
): Promise<SubscriptionRow> {
  const [row] = await tx.update(subscriptions).set(change).where(eq(subscriptions.id, id)).returning();
  if (!row) throw new Error(`The subscription ${id} is gone although it was locked.`);
  return row;
}

/** Inserts the cycle. Throws if the period has one. */
export async function insertCycle(tx: Tx, row: typeof subscriptionCycles.$inferInsert): Promise<void> {
  await tx.insert(subscriptionCycles).values(row);
}

/** The cycle that the payment request is of; undefined if it is of none. */
export async function cycleOf(q: Reader, paymentId: string): Promise<CycleRow | undefined> {
  const [row] = await q.select().from(subscriptionCycles).where(eq(subscriptionCycles.paymentId, paymentId));
  return row;
}

/** Records when a cycle was paid. Its subscription is locked. */
export async function markPaid(tx: Tx, { subscriptionId, cycle }: CycleRow, paidAt: number): Promise<void> {
  await tx
    .update(subscriptionCycles)
    .set({ paidAt })
    .where(and(eq(subscriptionCycles.subscriptionId, subscriptionId), eq(subscriptionCycles.cycle, cycle)));
}

/** Up to `limit` cycles of a subscription, the newest first. */
export const cyclesOf = (q: Reader, subscriptionId: string, limit: number): Promise<CycleRow[]> =>
  q
    .select()
    .from(subscriptionCycles)
    .where(eq(subscriptionCycles.subscriptionId, subscriptionId))
    .orderBy(sql`${subscriptionCycles.cycle} desc`)
    .limit(limit);

const over = ["canceled", "ended"] as const;

/** Up to `limit` of an account's subscriptions that are not over. */
export const liveOfAccount = (q: Reader, accountId: string, limit: number): Promise<SubscriptionRow[]> =>
  q
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.accountId, accountId), notInArray(subscriptions.status, [...over])))
    .orderBy(asc(subscriptions.id))
    .limit(limit);

/** Whether one of the customers has a subscription that is not over. */
export const haveLive = async (q: Reader, customerIds: readonly string[]): Promise<boolean> =>
  (await q.$count(
    subscriptions,
    and(inArray(subscriptions.customerId, [...customerIds]), notInArray(subscriptions.status, [...over])),
  )) > 0;

/** Names the customer of a subscription, which is locked and had none. */
export async function nameCustomer(tx: Tx, id: string, customerId: string): Promise<void> {
  await tx.update(subscriptions).set({ customerId }).where(eq(subscriptions.id, id));
}

/** Gives the subscriptions of a customer to another one, who did not ask for their card links. */
export async function moveSubscriptions(tx: Tx, from: string, to: string): Promise<void> {
  const rows = await tx.select({ id: subscriptions.id }).from(subscriptions).where(eq(subscriptions.customerId, from));
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return;
  await lock(tx, subscriptions, ids);
  await deleteCardLinks(tx, ids);
  await tx
    .update(subscriptions)
    .set({ customerId: to })
    .where(and(inArray(subscriptions.id, ids), eq(subscriptions.customerId, from)));
}

/**
 * Up to `limit` of an organization's subscriptions that would charge by themselves what may have been paid since a backup:
 * a new period that is due by `now`, or a renewal that was not paid. Paused ones count if their pause ends by itself.
 */
export const dueToCharge = (
  q: Reader,
  organizationId: string,
  now: number,
  limit: number,
): Promise<SubscriptionRow[]> => {
  const isUnpaid = or(isNotNull(subscriptions.failedAt), isNotNull(subscriptions.retryAt));
  const isGoingOn = inArray(subscriptions.status, ["active", "trialing", "past_due"]);
  const resumes = and(eq(subscriptions.status, "paused"), isNotNull(subscriptions.resumeAt));
  return q
    .select()
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.organizationId, organizationId),
        or(
          and(isGoingOn, or(lte(subscriptions.nextChargeAt, now), isUnpaid)),
          and(resumes, or(lte(subscriptions.resumeAt, now), isUnpaid)),
        ),
      ),
    )
    .orderBy(asc(subscriptions.id))
    .limit(limit);
};
