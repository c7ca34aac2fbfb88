// Rows of idempotency keys: the answer for a key, or the intent of a saga that is still running.
import { and, asc, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { databaseNow } from "@/db/now";
import { preparedOne, slot } from "@/db/prepared";
import { idempotencyKeys } from "@/db/tables";

type IdempotencyRow = typeof idempotencyKeys.$inferSelect;

const find = preparedOne("idempotency.find", (tx: Tx) =>
  tx
    .select()
    .from(idempotencyKeys)
    .where(eq(idempotencyKeys.id, slot("id"))),
);

const insert = preparedOne("idempotency.insert", (tx: Tx) =>
  tx
    .insert(idempotencyKeys)
    .values({
      id: slot("id"),
      fingerprint: slot("fingerprint"),
      intent: slot("intent"),
      status: slot("status"),
      body: slot("body"),
      createdAt: databaseNow,
      expiresAt: slot("expiresAt"),
    })
    .returning({ begun: idempotencyKeys.createdAt }),
);

/** The key's row. An expired one is removed. */
export async function findKey(tx: Tx, id: string, now: number): Promise<IdempotencyRow | undefined> {
  const row = await find(tx, { id });
  if (!row || row.expiresAt > now) return row;
  await tx.delete(idempotencyKeys).where(eq(idempotencyKeys.id, id));
  return undefined;
}

/**
 * When a lease began, by the database's clock, because the clocks of two processes may differ. It identifies the
 * lease's owner.
 */
export type Lease = number;

/** Inserts the key. Its lease begins now. */
export async function insertKey(tx: Tx, row: Omit<IdempotencyRow, "createdAt">): Promise<Lease> {
  const inserted = await insert(tx, { ...row });
  if (!inserted) throw new Error("An insert returned no row.");
  return inserted.begun;
}

/** Takes over a running saga whose lease has ended. Returns the new lease, or null if the other lease is valid. */
export async function renewKey(tx: Tx, id: string, leaseMs: number): Promise<Lease | null> {
  // A lease that began in the future was written before the database's clock was set back.
  const hasEnded = sql`abs(${databaseNow} - ${idempotencyKeys.createdAt}) >= ${leaseMs}`;
  const [renewed] = await tx
    .update(idempotencyKeys)
    .set({ createdAt: databaseNow })
    .where(and(eq(idempotencyKeys.id, id), isNull(idempotencyKeys.status), hasEnded))
    .returning({ begun: idempotencyKeys.createdAt });
  return renewed?.begun ?? null;
}

/** Ends the lease of a running saga, unless another process has taken it over. */
export async function releaseKey(tx: Tx, id: string, lease: Lease): Promise<void> {
  await tx
    .update(idempotencyKeys)
    .set({ createdAt: 0 })
    .where(and(eq(idempotencyKeys.id, id), isNull(idempotencyKeys.status), eq(idempotencyKeys.createdAt, lease)));
}

/** Stores the answer of a running saga, unless another process has finished it: a key has one answer. */
export async function finishKey(tx: Tx, id: string, status: number, body: string): Promise<void> {
  await tx
    .update(idempotencyKeys)
    .set({ status, body, intent: null })
    .where(and(eq(idempotencyKeys.id, id), isNull(idempotencyKeys.status)));
}

/** Removes expired keys, oldest first, and returns their number. */
export async function removeExpired(tx: Tx, now: number, limit: number): Promise<number> {
  const expired = tx
    .select({ id: idempotencyKeys.id })
    .from(idempotencyKeys)
    .where(lte(idempotencyKeys.expiresAt, now))
    .orderBy(asc(idempotencyKeys.expiresAt))
    .limit(limit);
  const removed = await tx.delete(idempotencyKeys).where(inArray(idempotencyKeys.id, expired)).returning({
    id: idempotencyKeys.id,
  });
  return removed.length;
}
