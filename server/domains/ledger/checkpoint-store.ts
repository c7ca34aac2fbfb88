// Queries of checkpoints: which chains have new postings, and the signed rows.
import { and, asc, desc, eq, gt, inArray, lte } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { journals, ledgerAccounts, ledgerCheckpointHeads, ledgerCheckpoints, postings } from "@/db/tables";

/** A chain's latest posting, as a checkpoint signs it. */
export interface ChainHead {
  ledgerAccountId: string;
  sequence: number;
  hash: string;
}

export type CheckpointRow = typeof ledgerCheckpoints.$inferSelect;

/** Ledger accounts with the number of their latest posting, and whether a checkpoint has signed that one. */
const withSignature = (q: Reader) =>
  q
    .select({ id: ledgerAccounts.id, sequence: ledgerAccounts.sequence, signed: ledgerCheckpointHeads.sequence })
    .from(ledgerAccounts)
    .leftJoin(
      ledgerCheckpointHeads,
      and(
        eq(ledgerCheckpointHeads.ledgerAccountId, ledgerAccounts.id),
        eq(ledgerCheckpointHeads.sequence, ledgerAccounts.sequence),
      ),
    );

const unsignedIds = (rows: { id: string; sequence: number; signed: number | null }[]): string[] =>
  rows.filter((row) => row.signed === null && row.sequence > 0).map((row) => row.id);

/** One page of all ledger accounts, in id order after `after`: those whose latest posting is not signed. */
export async function unsignedPage(
  q: Reader,
  after: string,
  pageSize: number,
): Promise<{ ids: string[]; next: string | null }> {
  const rows = await withSignature(q)
    .where(gt(ledgerAccounts.id, after))
    .orderBy(asc(ledgerAccounts.id))
    .limit(pageSize);
  return { ids: unsignedIds(rows), next: rows.length < pageSize ? null : (rows.at(-1)?.id ?? null) };
}

/** The ledger accounts among these whose latest posting is not signed. */
export const unsignedOf = async (q: Reader, ids: readonly string[]): Promise<string[]> =>
  unsignedIds(await withSignature(q).where(inArray(ledgerAccounts.id, [...ids])));

/** The ledger accounts touched by one page of journals, in journal id order after `after`. */
export async function touchedPage(
  q: Reader,
  after: string,
  pageSize: number,
): Promise<{ ids: string[]; next: string | null }> {
  const page = await q
    .select({ id: journals.id })
    .from(journals)
    .where(gt(journals.id, after))
    .orderBy(asc(journals.id))
    .limit(pageSize);
  const last = page.at(-1)?.id;
  if (last === undefined) return { ids: [], next: null };
  const rows = await q
    .selectDistinct({ id: postings.ledgerAccountId })
    .from(postings)
    .where(and(gt(postings.journalId, after), lte(postings.journalId, last)));
  return { ids: rows.map((row) => row.id), next: page.length < pageSize ? null : last };
}

/** The heads of these chains, in id order. */
export const headsOf = (q: Reader, ids: readonly string[]): Promise<ChainHead[]> =>
  q
    .select({ ledgerAccountId: ledgerAccounts.id, sequence: ledgerAccounts.sequence, hash: ledgerAccounts.headHash })
    .from(ledgerAccounts)
    .where(inArray(ledgerAccounts.id, [...ids]))
    .orderBy(asc(ledgerAccounts.id));

/** The checkpoint with the highest number; null if there is none. */
export async function lastCheckpoint(q: Reader): Promise<CheckpointRow | null> {
  const [row] = await q.select().from(ledgerCheckpoints).orderBy(desc(ledgerCheckpoints.number)).limit(1);
  return row ?? null;
}

/** Inserts a checkpoint with the heads that it signs. */
export async function insertCheckpoint(tx: Tx, row: CheckpointRow, heads: readonly ChainHead[]): Promise<void> {
  await tx.insert(ledgerCheckpoints).values(row);
  if (heads.length === 0) return;
  await tx.insert(ledgerCheckpointHeads).values(heads.map((head) => ({ checkpointNumber: row.number, ...head })));
}
