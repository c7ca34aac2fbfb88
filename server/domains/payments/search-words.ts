// The search words of payment requests: written at creation, and by a job for those from before the search existed.
import type { Tx } from "@/db/client";
import { limits } from "@/server/kit/limits";
import { hasAccents, indexedWordsOf } from "@/server/kit/words";
import type { Runtime } from "@/server/process/runtime";
import {
  deleteWords,
  findTextsAfter,
  findWithoutWords,
  insertWords,
  lockTexts,
  type SearchedTexts,
} from "./search-words-store";
import type { PaymentRow } from "./store";

/** The texts of a payment request that are searched, the most telling first. */
const textsOf = ({ reference, invoiceNumber, customer, description }: SearchedTexts) =>
  [reference, invoiceNumber, customer?.name, customer?.email, description] as const;

/** Writes the search words of a payment request's texts. */
export const writeWords = (tx: Tx, row: SearchedTexts): Promise<void> =>
  insertWords(tx, row, indexedWordsOf(...textsOf(row)));

/** Writes the search words of payment requests anew, after their texts have changed. */
export async function rewriteWords(tx: Tx, ids: readonly string[]): Promise<void> {
  await deleteWords(tx, ids);
  await completeWords(tx, ids);
}

/** Writes the search words that the payment requests do not have yet, of what their texts are now. */
async function completeWords(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const row of await lockTexts(tx, ids)) await writeWords(tx, row);
}

/**
 * Adds the folded words of one batch of payment requests whose texts have accents: versions before server/kit/words.ts
 * folded accents did not write them. Returns the last id; null after the last batch. Idempotent.
 */
export async function foldPayments({ db }: Runtime, afterId: string): Promise<string | null> {
  const rows = await findTextsAfter(db.read, afterId, limits.batch.words);
  const accented = rows.filter((row) => hasAccents(...textsOf(row))).map(({ id }) => id);
  if (accented.length > 0) await db.write((tx) => completeWords(tx, accented));
  return rows.at(-1)?.id ?? null;
}

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

/** The batch's last row; null after the last batch. */
async function indexBatch(
  { db }: Runtime,
  organizationId: string,
  position: PaymentRow | null,
): Promise<PaymentRow | null> {
  const rows = await findWithoutWords(db.read, organizationId, position, limits.batch.words);
  if (rows.length === 0) return null;
  await db.write((tx) =>
    completeWords(
      tx,
      rows.map(({ id }) => id),
    ),
  );
  return rows.at(-1) ?? null;
}
