// The search words of payment requests: written at creation, and anew when their texts change.
import type { Tx } from "@/db/client";
import { indexedWordsOf } from "@/server/kit/words";
import { deleteWords, insertWords, lockTexts, type SearchedTexts } from "./search-words-store";

/** The texts of a payment request that are searched, the most telling first. */
const textsOf = ({ reference, invoiceNumber, customer, description }: SearchedTexts) =>
  [reference, invoiceNumber, customer?.name, customer?.email, description] as const;

/** Writes the search words of a payment request's texts. */
export const writeWords = (tx: Tx, row: SearchedTexts): Promise<void> =>
  insertWords(tx, row, indexedWordsOf(...textsOf(row)));

/** Writes the search words of payment requests anew, after their texts have changed. */
export async function rewriteWords(tx: Tx, ids: readonly string[]): Promise<void> {
  await deleteWords(tx, ids);
  for (const row of await lockTexts(tx, ids)) await writeWords(tx, row);
}
