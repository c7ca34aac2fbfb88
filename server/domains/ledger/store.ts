// The ledger's queries: the statements of a posting, and reads of postings and balances.
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { bySize, idSlots, inBatches, upTo } from "@/db/batches";
import type { Reader, Tx } from "@/db/client";
import { dialect } from "@/db/dialect";
import { prepared, slotsOf } from "@/db/prepared";
import { journals, ledgerAccounts, postings } from "@/db/tables";
import type { JournalHeader, LedgerAccountRow, PostingRow } from "./chain";

const lockStatement = bySize((size) =>
  prepared(`ledger_lock_${size}`, (q: Tx) => {
    const query = q
      .select()
      .from(ledgerAccounts)
      .where(inArray(ledgerAccounts.id, idSlots(size)))
      .orderBy(asc(ledgerAccounts.id));
    return dialect === "postgres" ? query.for("no key update") : query;
  }),
);

/** Locks these ledger accounts in id order until the transaction ends, and returns their current rows. */
export const lockLedgerAccounts = (tx: Tx, ids: readonly string[]): Promise<LedgerAccountRow[]> =>
  inBatches(ids, (batch) => lockStatement(batch.length)(tx, batch));

/** Inserts ledger accounts. One that another transaction has created meanwhile is kept. */
export async function insertLedgerAccounts(tx: Tx, rows: readonly LedgerAccountRow[]): Promise<void> {
  const inOrder = [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
  await tx.insert(ledgerAccounts).values(inOrder).onConflictDoNothing();
}

const journalStatement = bySize((size) =>
  prepared(`ledger_journals_${size}`, (q: Tx) =>
    q.insert(journals).values(upTo(size).map((i) => slotsOf(journals, i))),
  ),
);

/** Inserts the headers of journals in one statement. */
export async function insertJournals(tx: Tx, rows: readonly JournalHeader[]): Promise<void> {
  await journalStatement(rows.length)(
    tx,
    rows.map((row) => ({ reversesJournalId: null, ...row })),
  );
}

const postingStatement = bySize((size) =>
  prepared(`ledger_postings_${size}`, (q: Tx) =>
    q.insert(postings).values(upTo(size).map((i) => slotsOf(postings, i))),
  ),
);

/** Inserts sealed postings in one statement. The caller has locked their ledger accounts. */
export async function insertPostings(tx: Tx, rows: readonly PostingRow[]): Promise<void> {
  await postingStatement(rows.length)(tx, rows);
}

const headsStatement = bySize((size) =>
  prepared(`ledger_heads_${size}`, (q: Tx) =>
    q
      .insert(ledgerAccounts)
      .values(upTo(size).map((i) => slotsOf(ledgerAccounts, i)))
      .onConflictDoUpdate({
        target: ledgerAccounts.id,
        set: {
          balance: sql`excluded.balance`,
          sequence: sql`excluded.sequence`,
          headHash: sql`excluded.head_hash`,
          bookedAt: sql`excluded.booked_at`,
        },
      }),
  ),
);

/** Updates the head and the balance of existing, locked ledger accounts in one statement. */
export async function saveHeads(tx: Tx, rows: readonly LedgerAccountRow[]): Promise<void> {
  await headsStatement(rows.length)(tx, rows);
}

/** One line of a written journal. */
export interface JournalLine {
  journalId: string;
  event: string;
  /** Epoch milliseconds. */
  createdAt: number;
  accountId: string | null;
  name: string;
  side: "debit" | "credit";
  amount: number;
  currency: string;
  /** Its number within the ledger account. */
  sequence: number;
  /** The balance of the ledger account after the line. */
  balanceAfter: number;
}

/** The lines posted for a transaction, oldest journal first. */
export const journalLines = (q: Reader, organizationId: string, transactionId: string): Promise<JournalLine[]> =>
  q
    .select({
      journalId: journals.id,
      event: journals.event,
      createdAt: journals.createdAt,
      accountId: ledgerAccounts.accountId,
      name: ledgerAccounts.name,
      side: postings.side,
      amount: postings.amount,
      currency: postings.currency,
      sequence: postings.sequence,
      balanceAfter: postings.balanceAfter,
    })
    .from(journals)
    .innerJoin(postings, eq(postings.journalId, journals.id))
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, postings.ledgerAccountId))
    .where(and(eq(journals.organizationId, organizationId), eq(journals.transactionId, transactionId)))
    .orderBy(asc(journals.createdAt), asc(journals.id), asc(postings.ledgerAccountId), asc(postings.sequence));

const balancesByIdStatement = bySize((size) =>
  prepared(`ledger_balances_by_id_${size}`, (q: Reader) =>
    q
      .select({ id: ledgerAccounts.id, balance: ledgerAccounts.balance })
      .from(ledgerAccounts)
      .where(inArray(ledgerAccounts.id, idSlots(size))),
  ),
);

/** The balances of those of these ledger accounts that exist. */
export const balancesById = (q: Reader, ids: readonly string[]): Promise<{ id: string; balance: number }[]> =>
  inBatches(ids, (batch) => balancesByIdStatement(batch.length)(q, batch));
