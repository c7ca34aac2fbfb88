// The ledger's queries: the few statements of a posting, and what is read back from it.
import { and, asc, eq, inArray, lte, sql } from "drizzle-orm";
import { bySize, numbered, upTo } from "@/db/batches";
import type { Reader, Tx } from "@/db/client";
import { dialect } from "@/db/dialect";
import { prepared, slot } from "@/db/prepared";
import { journals, ledgerAccounts, postings, transactions } from "@/db/tables";
import type { JournalHeader, LedgerAccountRow, PostingRow } from "@/server/ledger/chain";

/** Ids in one statement at most; a posting needs two to six. */
const largestBatch = 64;

/** Calls `query` with sorted, distinct ids in batches, padded so that few statements serve every number of ids. */
async function inBatches<T>(ids: readonly string[], query: (batch: string[]) => Promise<T[]>): Promise<T[]> {
  const sorted = [...new Set(ids)].sort();
  const rows: T[] = [];
  for (let from = 0; from < sorted.length; from += largestBatch) {
    const batch = sorted.slice(from, from + largestBatch);
    const size = 2 ** Math.ceil(Math.log2(batch.length));
    rows.push(...(await query(batch.concat(Array(size - batch.length).fill(batch.at(-1))))));
  }
  return rows;
}

const idSlots = (size: number) => upTo(size).map((i) => slot(`id${i}`));
const idValues = (ids: readonly string[]) => numbered(ids.map((id) => ({ id })));

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

/** Locks these ledger accounts in id order until the transaction ends, and reads them as they are then. */
export const lockLedgerAccounts = (tx: Tx, ids: readonly string[]): Promise<LedgerAccountRow[]> =>
  inBatches(ids, (batch) => lockStatement(batch.length)(tx, idValues(batch)));

/** Makes ledger accounts; one that another transaction has made meanwhile stays as it is. */
export async function insertLedgerAccounts(tx: Tx, rows: readonly LedgerAccountRow[]): Promise<void> {
  const inOrder = [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
  await tx.insert(ledgerAccounts).values(inOrder).onConflictDoNothing();
}

const journalStatement = bySize((size) =>
  prepared(`ledger_journals_${size}`, (q: Tx) =>
    q.insert(journals).values(
      upTo(size).map((i) => ({
        id: slot(`id${i}`),
        organizationId: slot(`organizationId${i}`),
        transactionId: slot(`transactionId${i}`),
        event: slot(`event${i}`),
        reversesJournalId: slot(`reversesJournalId${i}`),
        createdAt: slot(`createdAt${i}`),
      })),
    ),
  ),
);

export async function insertJournals(tx: Tx, rows: readonly JournalHeader[]): Promise<void> {
  await journalStatement(rows.length)(tx, numbered(rows));
}

const postingStatement = bySize((size) =>
  prepared(`ledger_postings_${size}`, (q: Tx) =>
    q.insert(postings).values(
      upTo(size).map((i) => ({
        ledgerAccountId: slot(`ledgerAccountId${i}`),
        sequence: slot(`sequence${i}`),
        journalId: slot(`journalId${i}`),
        side: slot(`side${i}`),
        amount: slot(`amount${i}`),
        currency: slot(`currency${i}`),
        balanceAfter: slot(`balanceAfter${i}`),
        previousHash: slot(`previousHash${i}`),
        hash: slot(`hash${i}`),
      })),
    ),
  ),
);

export async function insertPostings(tx: Tx, rows: readonly PostingRow[]): Promise<void> {
  await postingStatement(rows.length)(tx, numbered(rows));
}

const headsStatement = bySize((size) =>
  prepared(`ledger_heads_${size}`, (q: Tx) =>
    q
      .insert(ledgerAccounts)
      .values(
        upTo(size).map((i) => ({
          id: slot(`id${i}`),
          organizationId: slot(`organizationId${i}`),
          accountId: slot(`accountId${i}`),
          name: slot(`name${i}`),
          currency: slot(`currency${i}`),
          normalSide: slot(`normalSide${i}`),
          balance: slot(`balance${i}`),
          sequence: slot(`sequence${i}`),
          headHash: slot(`headHash${i}`),
          createdAt: slot(`createdAt${i}`),
        })),
      )
      .onConflictDoUpdate({
        target: ledgerAccounts.id,
        set: {
          balance: sql`excluded.balance`,
          sequence: sql`excluded.sequence`,
          headHash: sql`excluded.head_hash`,
        },
      }),
  ),
);

/** Moves balance, sequence and head hash of existing, locked ledger accounts on, all in one statement. */
export async function saveHeads(tx: Tx, rows: readonly LedgerAccountRow[]): Promise<void> {
  await headsStatement(rows.length)(tx, numbered(rows));
}

/** One line of a written journal. */
export interface JournalLine {
  journalId: string;
  event: string;
  /** Epoch ms. */
  createdAt: number;
  accountId: string | null;
  name: string;
  side: "debit" | "credit";
  amount: number;
  currency: string;
  /** Its number in the ledger account. */
  sequence: number;
  /** What the ledger account held after the line. */
  balanceAfter: number;
}

/** The lines of everything that was posted for a transaction, oldest journal first. */
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

export interface OwnBalance {
  accountId: string | null;
  name: string;
  currency: string;
  balance: number;
}

const ownBalanceStatement = bySize((size) =>
  prepared(`ledger_own_balances_${size}`, (q: Reader) =>
    q
      .select({
        accountId: ledgerAccounts.accountId,
        name: ledgerAccounts.name,
        currency: ledgerAccounts.currency,
        balance: ledgerAccounts.balance,
      })
      .from(ledgerAccounts)
      .where(inArray(ledgerAccounts.accountId, idSlots(size))),
  ),
);

/** Every ledger account that these accounts own, as it stands now. */
export const ownBalances = (q: Reader, accountIds: readonly string[]): Promise<OwnBalance[]> =>
  inBatches(accountIds, (batch) => ownBalanceStatement(batch.length)(q, idValues(batch)));

/** The same as it stood at an instant (epoch ms, inclusive): the fold of what was posted until then. */
export const ownBalancesAt = (q: Reader, accountId: string, at: number): Promise<OwnBalance[]> =>
  q
    .select({
      accountId: ledgerAccounts.accountId,
      name: ledgerAccounts.name,
      currency: ledgerAccounts.currency,
      balance:
        sql<number>`sum(case when ${postings.side} = ${ledgerAccounts.normalSide} then ${postings.amount} else -${postings.amount} end)`.mapWith(
          Number,
        ),
    })
    .from(ledgerAccounts)
    .innerJoin(postings, eq(postings.ledgerAccountId, ledgerAccounts.id))
    .innerJoin(journals, eq(journals.id, postings.journalId))
    .where(and(eq(ledgerAccounts.accountId, accountId), lte(journals.createdAt, at)))
    .groupBy(ledgerAccounts.accountId, ledgerAccounts.name, ledgerAccounts.currency);

const processingStatement = bySize((size) =>
  prepared(`ledger_processing_${size}`, (q: Reader) =>
    q
      .select({
        accountId: transactions.accountId,
        currency: transactions.currency,
        amount: sql<number>`sum(${transactions.amount})`.mapWith(Number),
      })
      .from(transactions)
      // Written out, not bound: only so do both planners know that the partial index serves.
      .where(
        and(
          inArray(transactions.accountId, idSlots(size)),
          sql`${transactions.status} = 'processing'`,
          eq(transactions.type, "payment"),
        ),
      )
      .groupBy(transactions.accountId, transactions.currency),
  ),
);

/** What the payments under way would bring to these accounts, by currency. */
export const processingAmounts = (
  q: Reader,
  accountIds: readonly string[],
): Promise<{ accountId: string; currency: string; amount: number }[]> =>
  inBatches(accountIds, (batch) => processingStatement(batch.length)(q, idValues(batch)));
