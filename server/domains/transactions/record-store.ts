// Inserts and updates rows of transactions, and inserts their search words and tags.
import { and, asc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { bySize, groupsOf, upTo } from "@/db/batches";
import { touch } from "@/db/changes";
import type { Tx } from "@/db/client";
import { databaseNow } from "@/db/database-clock";
import { isUniqueViolation, LostRace } from "@/db/errors";
import { lock } from "@/db/lock";
import { prepared, slot, slotsOf } from "@/db/prepared";
import { erasedSnapshot } from "@/db/schema/values";
import { transactions, transactionTags, transactionWords } from "@/db/tables";
import { limits } from "@/server/kit/limits";
import type { TransactionRow } from "./present";

const insert = prepared("transactions_insert", (tx: Tx) =>
  tx
    .insert(transactions)
    .values({
      ...slotsOf(transactions),
      // By the database's clock, which all processes share.
      startBefore: sql`${databaseNow} + cast(${slot("startWithinMs")} as bigint)`,
      changedAt: databaseNow,
    })
    .onConflictDoNothing()
    .returning({ startBefore: transactions.startBefore, changedAt: transactions.changedAt }),
);

/**
 * Inserts the row and resolves to it. Its charge may start at its provider for `startWithinMs` from now. Null if its
 * reference, its attempt key or its provider's reference is taken.
 */
export async function insertRow(
  tx: Tx,
  row: Omit<TransactionRow, "startBefore" | "changedAt">,
  startWithinMs: number | null,
): Promise<TransactionRow | null> {
  const [inserted] = await insert(tx, { ...row, startWithinMs });
  return inserted ? { ...row, ...inserted } : null;
}

export type TagRow = typeof transactionTags.$inferInsert;

/** The largest number of rows of one INSERT. */
const batch = limits.batch.tags;

const insertTagRows = bySize((size) =>
  prepared(`transactions_tags_${size}`, (tx: Tx) =>
    tx.insert(transactionTags).values(upTo(size).map((i) => slotsOf(transactionTags, i))),
  ),
);

/** Inserts the metadata entries by which the transaction is found. */
export async function insertTags(
  tx: Tx,
  row: TransactionRow,
  tags: readonly Pick<TagRow, "scope" | "key" | "value">[],
) {
  const common = { transactionId: row.id, organizationId: row.organizationId, createdAt: row.createdAt };
  for (const group of groupsOf(tags, batch)) {
    await insertTagRows(group.length)(
      tx,
      group.map((tag) => ({ ...common, ...tag })),
    );
  }
}

const insertWordRows = bySize((size) =>
  prepared(`transactions_words_${size}`, (tx: Tx) =>
    tx
      .insert(transactionWords)
      .values(upTo(size).map((i) => slotsOf(transactionWords, i)))
      .onConflictDoNothing(),
  ),
);

/** Inserts the search words of the transaction that it does not have yet. */
export async function insertWords(
  tx: Tx,
  row: Pick<TransactionRow, "id" | "organizationId">,
  words: readonly string[],
): Promise<void> {
  for (const group of groupsOf(words, batch)) {
    const rows = group.map((word) => ({ transactionId: row.id, organizationId: row.organizationId, word }));
    await insertWordRows(group.length)(tx, rows);
  }
}

/** Erases what transactions, which the caller has locked, say about their customers, and all of their search words. */
export async function eraseSnapshots(tx: Tx, ids: readonly string[]): Promise<void> {
  const { transactionId, scope } = transactionTags;
  await tx.delete(transactionTags).where(and(inArray(transactionId, [...ids]), eq(scope, "customer")));
  await tx.delete(transactionWords).where(inArray(transactionWords.transactionId, [...ids]));
  await tx
    .update(transactions)
    .set({ customer: erasedSnapshot, customerEmailKey: null, customerReference: null })
    .where(and(inArray(transactions.id, [...ids]), isNotNull(transactions.customer)));
}

/** Makes up to `limit` transactions of one customer those of another. Resolves to how many. */
export async function moveTransactions(
  tx: Tx,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<number> {
  const rows = await tx
    .select({ id: transactions.id })
    .from(transactions)
    .where(eq(transactions.customerId, from))
    .orderBy(asc(transactions.id))
    .limit(limit);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await lock(tx, transactions, ids);
  await tx
    .update(transactions)
    .set({ customerId: to })
    .where(and(inArray(transactions.id, ids), eq(transactions.customerId, from)));
  return ids.length;
}

/** Counts transactions, which the caller has locked, as changed: what they show of credit has changed. */
export const touchTransactions = (tx: Tx, ids: readonly string[]): Promise<void> => touch(tx, transactions, ids);

/** Counts the transactions of payment requests, which the caller has locked, as changed: their customer is another. */
export async function touchTransactionsOf(tx: Tx, paymentIds: readonly string[]): Promise<void> {
  if (paymentIds.length === 0) return;
  const rows = await tx
    .select({ id: transactions.id })
    .from(transactions)
    .where(inArray(transactions.paymentId, [...paymentIds]));
  const ids = rows.map(({ id }) => id);
  await lock(tx, transactions, ids);
  await touch(tx, transactions, ids);
}

/** Notes that the money of a payment arrived late, or that this was accepted: null. */
export async function setLate(tx: Tx, ids: readonly string[], lateAt: number | null): Promise<void> {
  await tx
    .update(transactions)
    .set({ lateAt })
    .where(inArray(transactions.id, [...ids]));
}

/** Records that a capture was decided, so that it is carried out even if this process dies. */
export async function requestCapture(tx: Tx, transactionId: string, amount: number, now: number): Promise<void> {
  const requested = { captureRequested: amount, updatedAt: now };
  await tx.update(transactions).set(requested).where(eq(transactions.id, transactionId));
}

/** Updates a row that the caller has locked. Checks its status again, so that no status is left twice. */
export async function updateRow(
  tx: Tx,
  row: TransactionRow,
  patch: Partial<TransactionRow>,
  now: number,
): Promise<TransactionRow> {
  const [updated] = await tx
    .update(transactions)
    .set({ ...patch, updatedAt: now })
    .where(and(eq(transactions.id, row.id), eq(transactions.status, row.status)))
    .returning()
    .catch((error: unknown) => {
      // Another database transaction has just written the provider's reference. The retry sees it before it writes.
      throw isUniqueViolation(error) ? new LostRace(error) : error;
    });
  if (!updated) throw new Error(`The transaction ${row.id} changed although it was locked.`);
  return updated;
}

/**
 * Reserves `amount` minor units of a payment for a refund. `creditSpent` is what was spent of the credit that was made of
 * it. Resolves to the row; undefined if less is left.
 */
export async function reserveRefund(
  tx: Tx,
  id: string,
  amount: number,
  creditSpent: number,
): Promise<TransactionRow | undefined> {
  const { amountCaptured, amountRefunded, amountRefunding, amountDisputed } = transactions;
  const [row] = await tx
    .update(transactions)
    .set({ amountRefunding: sql`${amountRefunding} + ${amount}` })
    .where(
      and(
        eq(transactions.id, id),
        sql`${amountCaptured} - ${amountRefunded} - ${amountRefunding} - ${amountDisputed} - ${creditSpent} >= ${amount}`,
      ),
    )
    .returning();
  return row;
}
