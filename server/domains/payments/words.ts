// By which words payment requests are found: written with each, and afterwards for those that are older than the search.
import type { Tx } from "@/db/client";
import { limits } from "@/server/kit/limits";
import { indexedWordsOf } from "@/server/kit/words";
import type { Runtime } from "@/server/process/runtime";
import type { PaymentRow } from "./store";
import { findWithoutWords, insertWords } from "./words-store";

/** Writes down the words of a request's texts. */
export const writeWords = (tx: Tx, row: PaymentRow): Promise<void> =>
  insertWords(tx, row, indexedWordsOf(row.reference, row.customer?.name, row.customer?.email, row.description));

/**
 * Writes down the words of all of an organization's requests that have none yet, a batch at a time, until `signal`
 * fires. Idempotent.
 */
export async function indexWords(runtime: Runtime, organizationId: string, signal: AbortSignal): Promise<undefined> {
  // Some texts have no words, so what was looked at is passed by its place, not by having words now.
  let last: PaymentRow | null = null;
  do {
    signal.throwIfAborted();
    last = await indexBatch(runtime, organizationId, last);
  } while (last !== null);
  return undefined;
}

/** The last request of the batch; null after the last batch. A request's texts never change, so they are read outside. */
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
