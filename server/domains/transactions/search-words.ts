// The search words of transactions: written with each, and completed by a job for those of versions before.

import type { Tx } from "@/db/client";
import { limits } from "@/server/kit/limits";
import { hasAccents, indexedWordsOf } from "@/server/kit/words";
import type { Runtime } from "@/server/process/runtime";
import { insertWords } from "./record-store";
import { findTextsAfter, lockTexts, type SearchedTexts } from "./store";

/** The texts of a transaction that are searched, the most telling first. */
const textsOf = ({ reference, customer, description }: SearchedTexts) =>
  [reference, customer?.name, customer?.email, description] as const;

/** Writes the search words of a transaction's texts. */
export const writeWords = (tx: Tx, row: SearchedTexts): Promise<void> =>
  insertWords(tx, row, indexedWordsOf(...textsOf(row)));

/** Writes the search words that the transactions do not have yet, of what their texts are now. */
export async function completeWords(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const row of await lockTexts(tx, ids)) await writeWords(tx, row);
}

/**
 * Adds the folded words of one batch of transactions whose texts have accents: versions before server/kit/words.ts
 * folded accents did not write them. Returns the last id; null after the last batch. Idempotent.
 */
export async function foldTransactions({ db }: Runtime, afterId: string): Promise<string | null> {
  const rows = await findTextsAfter(db.read, afterId, limits.batch.words);
  const accented = rows.filter((row) => hasAccents(...textsOf(row))).map(({ id }) => id);
  if (accented.length > 0) await db.write((tx) => completeWords(tx, accented));
  return rows.at(-1)?.id ?? null;
}
