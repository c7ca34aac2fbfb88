// Rows of card links: with one, the customer stores another card for a subscription. The subscription's row is locked first.
import { eq, inArray } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { cardLinks } from "@/db/tables";

export type CardLinkRow = typeof cardLinks.$inferSelect;

/** Writes the link of a subscription, in place of the one that it had. */
export async function putCardLink(tx: Tx, row: CardLinkRow): Promise<void> {
  await deleteCardLinks(tx, [row.subscriptionId]);
  await tx.insert(cardLinks).values(row);
}

/** The link whose token has this hash; undefined also if a newer one replaced it. */
export async function findCardLink(q: Reader, hash: string): Promise<CardLinkRow | undefined> {
  const [row] = await q.select().from(cardLinks).where(eq(cardLinks.hash, hash));
  return row;
}

/** The link of the subscription; undefined if it has none. */
export async function cardLinkOf(q: Reader, subscriptionId: string): Promise<CardLinkRow | undefined> {
  const [row] = await q.select().from(cardLinks).where(eq(cardLinks.subscriptionId, subscriptionId));
  return row;
}

export async function markCardLinkUsed(tx: Tx, hash: string, usedAt: number): Promise<void> {
  await tx.update(cardLinks).set({ usedAt }).where(eq(cardLinks.hash, hash));
}

/** Ends the links of these subscriptions. */
export async function deleteCardLinks(tx: Tx, subscriptionIds: readonly string[]): Promise<void> {
  await tx.delete(cardLinks).where(inArray(cardLinks.subscriptionId, [...subscriptionIds]));
}

/** Ends the links of all subscriptions. */
export async function deleteAllCardLinks(tx: Tx): Promise<void> {
  await tx.delete(cardLinks);
}
