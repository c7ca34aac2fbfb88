// Rows that a new transaction leaves: its own, and those by which it is searched.
import { sql } from "drizzle-orm";
import { bySize, numbered, upTo } from "@/db/batches";
import type { Tx } from "@/db/client";
import { databaseNow } from "@/db/now";
import { prepared, slot } from "@/db/prepared";
import { transactions, transactionTags, transactionWords } from "@/db/tables";
import type { TransactionRow } from "./present";

const insert = prepared("transactions_insert", (tx: Tx) =>
  tx
    .insert(transactions)
    .values({
      id: slot("id"),
      organizationId: slot("organizationId"),
      accountId: slot("accountId"),
      type: slot("type"),
      status: slot("status"),
      direction: slot("direction"),
      amount: slot("amount"),
      currency: slot("currency"),
      feeAmount: slot("feeAmount"),
      amountAuthorized: slot("amountAuthorized"),
      amountCaptured: slot("amountCaptured"),
      amountReleased: slot("amountReleased"),
      amountRefunded: slot("amountRefunded"),
      amountRefunding: slot("amountRefunding"),
      amountDisputed: slot("amountDisputed"),
      amountSurplus: slot("amountSurplus"),
      paymentId: slot("paymentId"),
      parentTransactionId: slot("parentTransactionId"),
      destinationAccountId: slot("destinationAccountId"),
      paymentMethod: slot("paymentMethod"),
      provider: slot("provider"),
      providerReference: slot("providerReference"),
      failure: slot("failure"),
      reason: slot("reason"),
      reference: slot("reference"),
      description: slot("description"),
      customer: slot("customer"),
      customerEmailKey: slot("customerEmailKey"),
      customerReference: slot("customerReference"),
      metadata: slot("metadata"),
      effectiveAt: slot("effectiveAt"),
      livemode: slot("livemode"),
      captureBefore: slot("captureBefore"),
      // By the database's clock, which is the same for all processes.
      startBefore: sql`${databaseNow} + cast(${slot("startWithinMs")} as bigint)`,
      attemptKey: slot("attemptKey"),
      captureRequested: slot("captureRequested"),
      actionUrl: slot("actionUrl"),
      settledAt: slot("settledAt"),
      createdAt: slot("createdAt"),
      updatedAt: slot("updatedAt"),
    })
    .onConflictDoNothing()
    .returning({ startBefore: transactions.startBefore }),
);

/**
 * Inserts the row, which may be begun at its provider for `startWithinMs` from now on; the row as it then is. Null when
 * its reference, its attempt or its provider's reference is taken.
 */
export async function insertRow(
  tx: Tx,
  row: Omit<TransactionRow, "startBefore">,
  startWithinMs: number | null,
): Promise<TransactionRow | null> {
  const [inserted] = await insert(tx, { ...row, startWithinMs });
  return inserted ? { ...row, ...inserted } : null;
}

export type TagRow = typeof transactionTags.$inferInsert;

/** Rows of one INSERT at most; more take several. */
const batch = 16;

function* batches<T>(rows: readonly T[]): Generator<T[]> {
  for (let from = 0; from < rows.length; from += batch) yield rows.slice(from, from + batch);
}

const insertTagRows = bySize((size) =>
  prepared(`transactions_tags_${size}`, (tx: Tx) =>
    tx.insert(transactionTags).values(
      upTo(size).map((i) => ({
        transactionId: slot("transactionId"),
        organizationId: slot("organizationId"),
        scope: slot(`scope${i}`),
        key: slot(`key${i}`),
        value: slot(`value${i}`),
        createdAt: slot("createdAt"),
      })),
    ),
  ),
);

export async function insertTags(
  tx: Tx,
  row: TransactionRow,
  tags: readonly Pick<TagRow, "scope" | "key" | "value">[],
) {
  const common = { transactionId: row.id, organizationId: row.organizationId, createdAt: row.createdAt };
  for (const group of batches(tags)) {
    await insertTagRows(group.length)(tx, { ...common, ...numbered(group) });
  }
}

const insertWordRows = bySize((size) =>
  prepared(`transactions_words_${size}`, (tx: Tx) =>
    tx.insert(transactionWords).values(
      upTo(size).map((i) => ({
        transactionId: slot("transactionId"),
        organizationId: slot("organizationId"),
        word: slot(`word${i}`),
      })),
    ),
  ),
);

export async function insertWords(tx: Tx, row: TransactionRow, words: readonly string[]): Promise<void> {
  for (const group of batches(words)) {
    const own = numbered(group.map((word) => ({ word })));
    await insertWordRows(group.length)(tx, { transactionId: row.id, organizationId: row.organizationId, ...own });
  }
}
