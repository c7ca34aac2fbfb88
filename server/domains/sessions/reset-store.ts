// Rows of password reset links: only the newest of each user.
import { and, asc, eq, inArray, lte } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { passwordResets } from "@/db/tables";

export type ResetRow = typeof passwordResets.$inferSelect;

/** Stores a new link and replaces the user's previous one. */
export async function putReset(tx: Tx, row: ResetRow): Promise<void> {
  const { userId: _, ...set } = row;
  await tx.insert(passwordResets).values(row).onConflictDoUpdate({ target: passwordResets.userId, set });
}

/** The link whose token has this hash; undefined also if a newer link replaced it. */
export async function findReset(q: Reader, hash: string): Promise<ResetRow | undefined> {
  const [row] = await q.select().from(passwordResets).where(eq(passwordResets.hash, hash));
  return row;
}

export async function markResetUsed(tx: Tx, hash: string, now: number): Promise<void> {
  await tx.update(passwordResets).set({ usedAt: now }).where(eq(passwordResets.hash, hash));
}

export async function deleteReset(tx: Tx, userId: string): Promise<void> {
  await tx.delete(passwordResets).where(eq(passwordResets.userId, userId));
}

export async function deleteAllResets(tx: Tx): Promise<void> {
  await tx.delete(passwordResets);
}

/** Removes up to `limit` links that expired by `before` (epoch ms); returns how many. */
export async function removeExpiredResets(tx: Tx, before: number, limit: number): Promise<number> {
  const over = await tx
    .select({ userId: passwordResets.userId })
    .from(passwordResets)
    .where(lte(passwordResets.expiresAt, before))
    .orderBy(asc(passwordResets.expiresAt))
    .limit(limit);
  const ids = over.map(({ userId }) => userId);
  // Again by time: a user may have got a new link meanwhile.
  const isOver = and(inArray(passwordResets.userId, ids), lte(passwordResets.expiresAt, before));
  if (ids.length > 0) await tx.delete(passwordResets).where(isOver);
  return ids.length;
}
