// The search words of payment requests: written at creation, and by a job for those from before the search existed.
import type { Tx } from "@/db/client";
import { limits } from "@/server/kit/limits";
import { indexedWordsOf } from "@/server/kit/words";
import type { Runtime } from "@/server/process/runtime";
import { findWithoutWords, insertWords } from "./search-words-store";
import type { PaymentRow } from "./store";

/** Writes the search words of a payment request's texts. */
export const writeWords = (tx: Tx, row: PaymentRow): Promise<void> =>
  insertWords(tx, row, indexedWordsOf(row.reference, row.customer?.name, row.customer?.email, row.description));

/**
 * Writes the search words of all payment requests of an organization that have none yet, batch by batch, until `signal`
 * fires. Idempotent.
 */
export async function indexWords(runtime: Runtime, organizationId: string, signal: AbortSignal): Promise<undefined> {
  // Some texts have no words, so progress is a position in the list and not the rows still without words.
  let last: PaymentRow | null = null;
  do {
    signal.throwIfAborted();
    last = await indexBatch(runtime, organizationId, last);
  } while (last !== null);
  return undefined;
}

/** The batch's last row; null after the last batch. Texts never change, so they are read outside the transaction. */
async function indexBatch(
  { db }: Runtime,
  organizationId: string,
  position: PaymentRow | null,
): Promise<PaymentRow | null> {
  const rows = await findWithoutWords(db.read, organizationId, position, limits.batch.words);
  if (rows.length === 0) return null;
  await db.write(async (tx) => {
    for (const row of rows) await writeWords(tx, row);
  });
  return rows.at(-1) ?? null;
}
