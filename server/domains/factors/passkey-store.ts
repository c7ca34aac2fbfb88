// Rows of passkeys and of the challenges that wait for an answer.
import { and, asc, eq, gt, gte, inArray, lte } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { passkeyChallenges, passkeys } from "@/db/tables";

export type PasskeyRow = typeof passkeys.$inferSelect;
type ChallengeRow = typeof passkeyChallenges.$inferSelect;

/** The user's passkeys, oldest first. */
export const listPasskeys = (q: Reader, userId: string): Promise<PasskeyRow[]> =>
  q.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.createdAt), asc(passkeys.id));

export async function findByCredential(q: Reader, credentialId: string): Promise<PasskeyRow | undefined> {
  const [row] = await q.select().from(passkeys).where(eq(passkeys.credentialId, credentialId));
  return row;
}

/** Stores a passkey; false if it is stored already, for anybody. */
export async function insertPasskey(tx: Tx, row: PasskeyRow): Promise<boolean> {
  const rows = await tx
    .insert(passkeys)
    .values(row)
    .onConflictDoNothing({ target: passkeys.credentialId })
    .returning({ id: passkeys.id });
  return rows.length > 0;
}

/** Records a sign-in with the passkey. The caller has locked the user. */
export async function notePasskeyUse(tx: Tx, id: string, counter: number, lastUsedAt: number): Promise<void> {
  await tx.update(passkeys).set({ counter, lastUsedAt }).where(eq(passkeys.id, id));
}

/** Renames the user's passkey; false if there is none. */
export async function setPasskeyName(tx: Tx, userId: string, id: string, name: string): Promise<boolean> {
  const own = and(eq(passkeys.id, id), eq(passkeys.userId, userId));
  const rows = await tx.update(passkeys).set({ name }).where(own).returning({ id: passkeys.id });
  return rows.length > 0;
}

/** Removes the user's passkey; false if there is none. */
export async function deletePasskey(tx: Tx, userId: string, id: string): Promise<boolean> {
  const own = and(eq(passkeys.id, id), eq(passkeys.userId, userId));
  const rows = await tx.delete(passkeys).where(own).returning({ id: passkeys.id });
  return rows.length > 0;
}

/** Removes all passkeys of the user, and the challenges for adding one. */
export async function deletePasskeysOf(tx: Tx, userId: string): Promise<void> {
  await deleteChallengesOf(tx, userId);
  await tx.delete(passkeys).where(eq(passkeys.userId, userId));
}

/** Removes the user's passkeys that were added at `since` (epoch ms) or later; returns how many. */
export async function deletePasskeysSince(tx: Tx, userId: string, since: number): Promise<number> {
  await deleteChallengesOf(tx, userId);
  const rows = await tx
    .delete(passkeys)
    .where(and(eq(passkeys.userId, userId), gte(passkeys.createdAt, since)))
    .returning({ id: passkeys.id });
  return rows.length;
}

export async function insertChallenge(tx: Tx, row: ChallengeRow): Promise<void> {
  await tx.insert(passkeyChallenges).values(row);
}

/** Removes the challenge with this hash and returns it if it has not expired: it can be answered once. */
export async function takeChallenge(tx: Tx, hash: string, now: number): Promise<ChallengeRow | undefined> {
  const [row] = await tx
    .delete(passkeyChallenges)
    .where(and(eq(passkeyChallenges.hash, hash), gt(passkeyChallenges.expiresAt, now)))
    .returning();
  return row;
}

/** Removes the challenges for adding a passkey to the user. */
export async function deleteChallengesOf(tx: Tx, userId: string): Promise<void> {
  await tx.delete(passkeyChallenges).where(eq(passkeyChallenges.userId, userId));
}

/** Removes up to `limit` challenges that have expired by `now`; returns how many. */
export async function deleteExpiredChallenges(tx: Tx, now: number, limit: number): Promise<number> {
  const over = await tx
    .select({ hash: passkeyChallenges.hash })
    .from(passkeyChallenges)
    .where(lte(passkeyChallenges.expiresAt, now))
    .orderBy(asc(passkeyChallenges.expiresAt))
    .limit(limit);
  const hashes = over.map(({ hash }) => hash);
  if (hashes.length > 0) await tx.delete(passkeyChallenges).where(inArray(passkeyChallenges.hash, hashes));
  return over.length;
}
