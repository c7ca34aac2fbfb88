// Erases what transactions say about a customer: those of payment requests, and those that the customer's keys find.
import type { Tx } from "@/db/client";
import { findAbout, idsOfPayments, idsOfRefunds, type Keys, lockRows } from "./erasure-store";
import { eraseSnapshots } from "./record-store";
import { completeWords } from "./search-words";

/** Erases the snapshots of all transactions of payment requests, which the caller has locked. */
export async function eraseOfPayments(tx: Tx, paymentIds: readonly string[]): Promise<void> {
  await eraseTransactions(tx, await idsOfPayments(tx, paymentIds));
}

/** What a batch of transactions erased. */
interface ErasedBatch {
  ids: string[];
  /** The folded addresses in their snapshots. */
  emailKeys: string[];
}

/** Erases up to `limit` transactions that are about the customer, after an id; see `findAbout`. */
export async function eraseAbout(
  tx: Tx,
  keys: Keys,
  { after, limit }: { after: string; limit: number },
): Promise<ErasedBatch> {
  const rows = await findAbout(tx, keys, { after, limit });
  const ids = rows.map(({ id }) => id);
  await lockRows(tx, ids);
  // A refund copies the snapshot of its payment while it has that locked.
  await eraseTransactions(tx, [...new Set([...ids, ...(await idsOfRefunds(tx, ids, keys.customerIds))])]);
  return { ids, emailKeys: [...new Set(rows.flatMap(({ emailKey }) => (emailKey === null ? [] : [emailKey])))] };
}

async function eraseTransactions(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await lockRows(tx, ids);
  await eraseSnapshots(tx, ids);
  await completeWords(tx, ids);
}
