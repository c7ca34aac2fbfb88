// The search words of transactions: written with each, and again after an erasure.
import type { Tx } from "@/db/client";
import { indexedWordsOf } from "@/server/kit/words";
import { cardTexts } from "./card-words";
import { insertWords } from "./record-store";
import { lockTexts, type SearchedTexts } from "./store";

/** The texts of a transaction that are searched, the most telling first. */
const textsOf = ({ reference, customer, description, paymentMethod }: SearchedTexts) =>
  [reference, ...cardTexts(paymentMethod), customer?.name, customer?.email, description] as const;

/** Writes the search words of a transaction's texts. */
export const writeWords = (tx: Tx, row: SearchedTexts): Promise<void> =>
  insertWords(tx, row, indexedWordsOf(...textsOf(row)));

/** Writes the search words that the transactions do not have yet, of what their texts are now. */
export async function completeWords(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const row of await lockTexts(tx, ids)) await writeWords(tx, row);
}
