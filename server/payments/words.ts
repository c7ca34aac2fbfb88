// By which words payment requests are found: written with each, and afterwards for those that are older than the search.
import type { Tx } from "@/db/client";
import type { Runtime } from "@/server/kit/runtime";
import { wordsOf } from "@/server/kit/words";
import { findWithoutWords, insertWords } from "./search-store";
import type { PaymentRow } from "./store";

/** Rows in one transaction, so that nobody waits long for the writer. */
const batchSize = 200;

/** Writes down the words of a request's texts; their number. */
export async function writeWords(tx: Tx, row: PaymentRow): Promise<number> {
  const words = wordsOf(row.reference, row.description, row.customer?.name, row.customer?.email);
  await insertWords(tx, row, words);
  return words.length;
}

/** Writes down the words of an organization's requests that have none yet, a batch at a time, until all have. */
export async function indexWords(runtime: Runtime, organizationId: string): Promise<{ again: number } | undefined> {
  const written = await runtime.db.write(async (tx) => {
    let count = 0;
    for (const row of await findWithoutWords(tx, organizationId, batchSize)) count += await writeWords(tx, row);
    return count;
  });
  return written > 0 ? { again: runtime.clock.now() } : undefined;
}
