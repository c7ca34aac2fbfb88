// The ledger's queries: the statements of a posting, and reads of postings and balances.
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { bySize, numbered, upTo } from "@/db/batches";
import type { Reader, Tx } from "@/db/client";
import { dialect } from "@/db/dialect";
import { prepared, preparedOne, slot, slotsOf } from "@/db/prepared";
import { journals, ledgerAccounts, organizations, postings, transactions } from "@/db/tables";
import { limits } from "@/server/kit/limits";
import type { JournalHeader, LedgerAccountRow, PostingRow } from "./chain";

/** Most ids in one statement: a posting needs two to six, a page of accounts a hundred. */
const largestBatch = limits.batch.ledgerIds;

/** Calls `query` with sorted, distinct ids in batches, padded so that few statements cover every number of ids. */
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

/** Locks these ledger accounts in id order until the transaction ends, and returns their current rows. */
export const lockLedgerAccounts = (tx: Tx, ids: readonly string[]): Promise<LedgerAccountRow[]> =>
  inBatches(ids, (batch) => lockStatement(batch.length)(tx, idValues(batch)));

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

export async function insertJournals(tx: Tx, rows: readonly JournalHeader[]): Promise<void> {
  await journalStatement(rows.length)(tx, numbered(rows.map((row) => ({ reversesJournalId: null, ...row }))));
}

const postingStatement = bySize((size) =>
  prepared(`ledger_postings_${size}`, (q: Tx) =>
    q.insert(postings).values(upTo(size).map((i) => slotsOf(postings, i))),
  ),
);

export async function insertPostings(tx: Tx, rows: readonly PostingRow[]): Promise<void> {
  await postingStatement(rows.length)(tx, numbered(rows));
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
        },
      }),
  ),
);

/** Updates balance, sequence and head hash of existing, locked ledger accounts in one statement. */
export async function saveHeads(tx: Tx, rows: readonly LedgerAccountRow[]): Promise<void> {
  await headsStatement(rows.length)(tx, numbered(rows));
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

/** One part of an account's money: the balance of a ledger account, or the sum of its payments in processing. */
export interface BalancePart {
  accountId: string;
  currency: string;
  name: string;
  amount: number;
}

/** Payments that their provider is processing, or that wait for the payer's confirmation. */
const isUnderWay = sql`${transactions.status} in ('processing', 'requires_action')`;

const balanceStatement = bySize((size) =>
  prepared(`ledger_balances_${size}`, (q: Reader) => {
    const posted = q
      .select({
        accountId: sql<string>`${ledgerAccounts.accountId}`.as("account_id"),
        currency: sql<string>`${ledgerAccounts.currency}`.as("currency"),
        name: sql<string>`${ledgerAccounts.name}`.as("name"),
        amount: sql<number>`${ledgerAccounts.balance}`.mapWith(Number).as("amount"),
      })
      .from(ledgerAccounts)
      .innerJoin(organizations, eq(organizations.id, ledgerAccounts.organizationId))
      .where(and(inArray(ledgerAccounts.accountId, idSlots(size)), isOfMode(ledgerAccounts.livemode)));
    const processing = q
      .select({
        accountId: sql<string>`${transactions.accountId}`.as("account_id"),
        currency: sql<string>`${transactions.currency}`.as("currency"),
        name: sql<string>`'processing'`.as("name"),
        amount: sql<number>`cast(sum(${transactions.amount}) as bigint)`.mapWith(Number).as("amount"),
      })
      .from(transactions)
      .innerJoin(organizations, eq(organizations.id, transactions.organizationId))
      .where(
        and(
          inArray(transactions.accountId, idSlots(size)),
          // The first condition is implied by the second; it tells both planners that the partial index applies.
          isUnderWay,
          eq(transactions.status, "processing"),
          eq(transactions.type, "payment"),
          isOfMode(transactions.livemode),
        ),
      )
      .groupBy(transactions.accountId, transactions.currency);
    return posted.unionAll(processing);
  }),
);

/** The condition for money of the joined organization's current mode. */
const isOfMode = (livemode: typeof ledgerAccounts.livemode | typeof transactions.livemode) =>
  sql`${livemode} = (${organizations.mode} = 'live')`;

/** The parts of these accounts' money. One statement, so one instant, for up to {@link largestBatch} accounts. */
export const balanceParts = (q: Reader, accountIds: readonly string[]): Promise<BalancePart[]> =>
  inBatches(accountIds, (batch) => balanceStatement(batch.length)(q, idValues(batch)));

const underWayStatement = preparedOne("ledger_under_way", (q: Reader) =>
  q
    .select({ amount: sql<number>`cast(coalesce(sum(${transactions.amount}), 0) as bigint)`.mapWith(Number) })
    .from(transactions)
    // The statuses are literals, not parameters: only then do both planners know that the partial index applies.
    .where(
      and(
        eq(transactions.accountId, slot("accountId")),
        eq(transactions.currency, slot("currency")),
        isUnderWay,
        eq(transactions.type, "payment"),
      ),
    ),
);

/** What attempts in progress may bring to an account, in minor units. */
export const amountUnderWay = async (q: Reader, accountId: string, currency: string): Promise<number> =>
  (await underWayStatement(q, { accountId, currency }))?.amount ?? 0;

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
  inBatches(ids, (batch) => balancesByIdStatement(batch.length)(q, idValues(batch)));
