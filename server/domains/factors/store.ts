// Rows of authenticator apps and recovery codes. Every writer has locked the user.
import { and, eq, gte, inArray, isNull, lt, or } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { recoveryCodes, totpFactors } from "@/db/tables";

export type TotpRow = typeof totpFactors.$inferSelect;

/** The user's authenticator app, confirmed or not. */
export async function findTotp(q: Reader, userId: string): Promise<TotpRow | undefined> {
  const [row] = await q.select().from(totpFactors).where(eq(totpFactors.userId, userId));
  return row;
}

type NewTotp = Pick<TotpRow, "userId" | "secret" | "createdAt">;

const noNext = { nextSecret: null, nextCreatedAt: null };

/** Stores an app that waits for its first code, in place of the user's earlier one. */
export async function putTotp(tx: Tx, row: NewTotp): Promise<void> {
  const fresh = { ...row, ...noNext, confirmedAt: null, lastStep: null };
  const { userId: _, ...set } = fresh;
  await tx.insert(totpFactors).values(fresh).onConflictDoUpdate({ target: totpFactors.userId, set });
}

/** Stores an app that waits for its first code, which will replace the user's confirmed one. */
export async function putNextTotp(tx: Tx, { userId, secret, createdAt }: NewTotp): Promise<void> {
  const next = { nextSecret: secret, nextCreatedAt: createdAt };
  await tx.update(totpFactors).set(next).where(eq(totpFactors.userId, userId));
}

/** Confirms the app that waited for its first code, whose time step `lastStep` is now used. */
export async function confirmTotp(
  tx: Tx,
  userId: string,
  confirmed: { secret: string; lastStep: number; confirmedAt: number },
): Promise<void> {
  await tx
    .update(totpFactors)
    .set({ ...confirmed, ...noNext })
    .where(eq(totpFactors.userId, userId));
}

/**
 * Marks a time step as used, and stores the secret if it was sealed again. False if a code of the step or of a later
 * one has been used.
 */
export async function spendStep(
  tx: Tx,
  userId: string,
  { step, secret }: { step: number; secret?: string },
): Promise<boolean> {
  const rows = await tx
    .update(totpFactors)
    .set({ lastStep: step, secret })
    .where(and(eq(totpFactors.userId, userId), or(isNull(totpFactors.lastStep), lt(totpFactors.lastStep, step))))
    .returning({ userId: totpFactors.userId });
  return rows.length > 0;
}

export async function deleteTotp(tx: Tx, userId: string): Promise<void> {
  await tx.delete(totpFactors).where(eq(totpFactors.userId, userId));
}

/** Removes the user's app and recovery codes that were set up at `since` (epoch ms) or later; returns how many. */
export async function deleteNewer(tx: Tx, userId: string, since: number): Promise<number> {
  const { createdAt, confirmedAt } = totpFactors;
  const apps = await tx
    .delete(totpFactors)
    .where(and(eq(totpFactors.userId, userId), or(gte(createdAt, since), gte(confirmedAt, since))))
    .returning({ userId: totpFactors.userId });
  const codes = await tx
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), gte(recoveryCodes.createdAt, since)))
    .returning({ hash: recoveryCodes.hash });
  return apps.length + codes.length;
}

export const countCodes = (q: Reader, userId: string): Promise<number> =>
  q.$count(recoveryCodes, eq(recoveryCodes.userId, userId));

/** Replaces the user's recovery codes. */
export async function putCodes(tx: Tx, userId: string, hashes: readonly string[], createdAt: number): Promise<void> {
  await deleteCodes(tx, userId);
  await tx.insert(recoveryCodes).values(hashes.map((hash) => ({ userId, hash, createdAt })));
}

/** Uses up the code with one of these hashes. False if there is none. */
export async function spendCode(tx: Tx, userId: string, hashes: readonly string[]): Promise<boolean> {
  const rows = await tx
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), inArray(recoveryCodes.hash, [...hashes])))
    .returning({ hash: recoveryCodes.hash });
  return rows.length > 0;
}

export async function deleteCodes(tx: Tx, userId: string): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
}
