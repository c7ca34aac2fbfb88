// The checkpoints' queries: which chains have moved on, and the signed rows themselves.
import { and, asc, desc, eq, gt, inArray } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { journals, ledgerAccounts, ledgerCheckpointHeads, ledgerCheckpoints } from "@/db/tables";

/** A chain's newest posting, as a checkpoint signs for it. */
export interface ChainHead {
  ledgerAccountId: string;
  sequence: number;
  hash: string;
}

export type CheckpointRow = typeof ledgerCheckpoints.$inferSelect;

/** One page of ledger accounts, in id order after `after`: those whose newest posting no checkpoint signs for. */
export async function unsignedChains(
  q: Reader,
  after: string,
  pageSize: number,
): Promise<{ ids: string[]; next: string | null }> {
  const rows = await q
    .select({ id: ledgerAccounts.id, sequence: ledgerAccounts.sequence, signed: ledgerCheckpointHeads.sequence })
    .from(ledgerAccounts)
    .leftJoin(
      ledgerCheckpointHeads,
      and(
        eq(ledgerCheckpointHeads.ledgerAccountId, ledgerAccounts.id),
        eq(ledgerCheckpointHeads.sequence, ledgerAccounts.sequence),
      ),
    )
    .where(gt(ledgerAccounts.id, after))
    .orderBy(asc(ledgerAccounts.id))
    .limit(pageSize);
  return {
    ids: rows.filter((row) => row.signed === null && row.sequence > 0).map((row) => row.id),
    next: rows.length < pageSize ? null : (rows.at(-1)?.id ?? null),
  };
}

/** The heads of these chains, in id order. */
export const headsOf = (q: Reader, ids: readonly string[]): Promise<ChainHead[]> =>
  q
    .select({ ledgerAccountId: ledgerAccounts.id, sequence: ledgerAccounts.sequence, hash: ledgerAccounts.headHash })
    .from(ledgerAccounts)
    .where(inArray(ledgerAccounts.id, [...ids]))
    .orderBy(asc(ledgerAccounts.id));

export async function lastCheckpoint(q: Reader): Promise<CheckpointRow | null> {
  const [row] = await q.select().from(ledgerCheckpoints).orderBy(desc(ledgerCheckpoints.number)).limit(1);
  return row ?? null;
}

/** When the newest journal was made, epoch ms; null without any. */
export async function newestJournalAt(q: Reader): Promise<number | null> {
  const [row] = await q.select({ createdAt: journals.createdAt }).from(journals).orderBy(desc(journals.id)).limit(1);
  return row?.createdAt ?? null;
}

export async function insertCheckpoint(tx: Tx, row: CheckpointRow, heads: readonly ChainHead[]): Promise<void> {
  await tx.insert(ledgerCheckpoints).values(row);
  await tx.insert(ledgerCheckpointHeads).values(heads.map((head) => ({ checkpointNumber: row.number, ...head })));
}
