// The ledger's queries: the few statements of a posting, and what is read back from it.
import { and, asc, eq, inArray, lte, sql } from "drizzle-orm";
import type { Reader, Tx } from "@/db/client";
import { dialect } from "@/db/dialect";
import { prepared, slot } from "@/db/prepared";
import { journals, ledgerAccounts, postings, transactions } from "@/db/tables";
import type { JournalHeader, LedgerAccountRow, PostingRow } from "@/server/ledger/chain";

/** Ids of one statement at most: a posting needs two to six. */
const largestBatch = 64;

/** One prepared statement for each number of rows, since a statement's text depends on it. */
function bySize<S>(build: (size: number) => S): (size: number) => S {
  const statements = new Map<number, S>();
  return (size) => {
    const statement = statements.get(size) ?? build(size);
    statements.set(size, statement);
    return statement;
  };
}

const count = (size: number): number[] => Array.from({ length: size }, (_, index) => index);

/** Slots named after column and row, and the values for them. */
const slotsOf = (columns: readonly string[], row: number) =>
  Object.fromEntries(columns.map((column) => [column, slot(`${column}${row}`)]));
const valuesOf = (rows: readonly object[]) =>
  Object.fromEntries(rows.flatMap((row, i) => Object.entries(row).map(([column, value]) => [`${column}${i}`, value])));

/** Ids padded with the last one to a power of two, so that few statements serve every number of them. */
function padded(ids: readonly string[]): string[] {
  const size = 2 ** Math.ceil(Math.log2(ids.length));
  return count(size).map((i) => ids[Math.min(i, ids.length - 1)] ?? "");
}

/** Calls `query` with sorted, distinct ids in batches, in order. */
async function inBatches<T>(ids: readonly string[], query: (batch: string[]) => Promise<T[]>): Promise<T[]> {
  const sorted = [...new Set(ids)].sort();
  const rows: T[] = [];
  for (let from = 0; from < sorted.length; from += largestBatch) {
    rows.push(...(await query(padded(sorted.slice(from, from + largestBatch)))));
  }
  return rows;
}

const idSlots = (size: number) => count(size).map((i) => slot(`id${i}`));
const idValues = (ids: readonly string[]) => Object.fromEntries(ids.map((id, i) => [`id${i}`, id]));

const lockStatement = bySize((size) =>
  prepared(`ledger_lock_${size}`, (q: Tx) => {
    const query = q.select().from(ledgerAccounts).where(inArray(ledgerAccounts.id, idSlots(size)));
    const ordered = query.orderBy(asc(ledgerAccounts.id));
    return dialect === "postgres" ? ordered.for("update") : ordered;
  }),
);

/** Locks these ledger accounts in id order until the transaction ends, and reads them as they are then. */
export const lockLedgerAccounts = (tx: Tx, ids: readonly string[]): Promise<LedgerAccountRow[]> =>
  inBatches(ids, (batch) => lockStatement(batch.length)(tx, idValues(batch)));

/** Makes ledger accounts; one that another transaction has just made stays as it is. */
export async function insertLedgerAccounts(tx: Tx, rows: readonly LedgerAccountRow[]): Promise<void> {
  const inOrder = [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
  await tx.insert(ledgerAccounts).values(inOrder).onConflictDoNothing();
}

const journalColumns = ["id", "organizationId", "transactionId", "event", "reversesJournalId", "createdAt"] as const;
const insertJournalStatement = bySize((size) =>
  prepared(`ledger_journals_${size}`, (q: Tx) =>
    q.insert(journals).values(count(size).map((i) => slotsOf(journalColumns, i) as never)),
  ),
);

export async function insertJournals(tx: Tx, rows: readonly JournalHeader[]): Promise<void> {
  await insertJournalStatement(rows.length)(tx, valuesOf(rows));
}
