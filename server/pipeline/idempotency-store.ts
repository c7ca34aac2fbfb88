// Rows of idempotency keys: the answer for a key, or the intent of a saga that is still running.
import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { databaseNow } from "@/db/database-clock";
import { beginsWith } from "@/db/prefix";
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

interface AnswersAfter {
  organizationId: string;
  /** The id of a key; empty for the first batch. */
  after: string;
  limit: number;
}

/**
 * Among up to `limit` keys of an organization after an id: the stored responses that mention customers, and the last id;
 * null if these were the last.
 */
export async function findAnswers(q: Reader, { organizationId, after, limit }: AnswersAfter) {
  const { id, body } = idempotencyKeys;
  const isMentioned = sql`${body} like '%"customer%'`;
  const rows = await q
    .select({ id, body: sql<string | null>`case when ${isMentioned} then ${body} end` })
    .from(idempotencyKeys)
    .where(and(beginsWith(id, `${organizationId}:`), gt(id, after)))
    .orderBy(asc(id))
    .limit(limit);
  const answers = rows.flatMap((row) => (row.body === null ? [] : [{ id: row.id, body: row.body }]));
  return { answers, last: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
}

/** Replaces a stored response. */
export async function replaceBody(tx: Tx, id: string, body: string): Promise<void> {
  await tx
    .update(idempotencyKeys)
    .set({ body })
    .where(and(eq(idempotencyKeys.id, id), isNotNull(idempotencyKeys.body)));
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
