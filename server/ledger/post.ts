// Writing to the ledger: the one way in. Locks, seals and inserts within the caller's transaction.
import type { Tx } from "@/db/client";
import {
  type JournalHeader,
  type LedgerAccountRow,
  newLedgerAccount,
  type PostingRefusal,
  seal,
} from "@/server/ledger/chain";
import { assertBalanced, type Journal, ledgerAccountId } from "@/server/ledger/rules";
import {
  insertJournals,
  insertLedgerAccounts,
  insertPostings,
  journalLines,
  lockLedgerAccounts,
  saveHeads,
} from "@/server/ledger/store";

/** What posting needs of a write operation's context. */
export interface PostContext {
  readonly db: Tx;
  /** Epoch ms. */
  readonly now: number;
  id(prefix: "jrn"): string;
}

/** Journals to be posted together for one transaction, whose row must exist. */
export interface Entry {
  organizationId: string;
  transactionId: string;
  journals: readonly Journal[];
}

/** A posting that the caller took for possible was not; the transaction must not commit. */
export class PostingRefused extends Error {
  constructor(readonly refusal: PostingRefusal) {
    super(`The ledger refused a posting: ${refusal}.`);
    this.name = "PostingRefused";
  }
}

/** Posts all journals in order. Throws {@link PostingRefused} when a balance does not allow it, RangeError for an unbalanced journal. */
export async function postJournals(ctx: PostContext, entry: Entry): Promise<void> {
  const refusal = await tryPostJournals(ctx, entry);
  if (refusal) throw new PostingRefused(refusal);
}

/**
 * Posts all journals in order, or none and answers why: `insufficient_balance` if an account would spend more than it
 * has available, checked under the lock; `balance_limit_exceeded` beyond ±(2^53 − 1).
 */
export async function tryPostJournals(ctx: PostContext, entry: Entry): Promise<PostingRefusal | null> {
  if (entry.journals.length === 0) return null;
  for (const journal of entry.journals) assertBalanced(journal);
  const accounts = await lockForPosting(ctx, entry);
  const headers: JournalHeader[] = [];
  const rows = [];
  for (const journal of entry.journals) {
    const header = {
      id: ctx.id("jrn"),
      organizationId: entry.organizationId,
      transactionId: entry.transactionId,
      event: journal.event,
      reversesJournalId: journal.reversesJournalId ?? null,
      createdAt: ctx.now,
    };
    const sealed = seal(header, journal, accounts);
    if (typeof sealed === "string") return sealed;
    headers.push(header);
    rows.push(...sealed);
  }
  await insertJournals(ctx.db, headers);
  await insertPostings(ctx.db, rows);
  await saveHeads(ctx.db, [...accounts.values()]);
  return null;
}

/** Locks every ledger account of the entry in id order; those that do not exist yet are made. */
async function lockForPosting(ctx: PostContext, entry: Entry): Promise<Map<string, LedgerAccountRow>> {
  const { organizationId } = entry;
  const wanted = new Map<string, LedgerAccountRow | null>();
  for (const { postings, currency } of entry.journals) {
    for (const { account } of postings) wanted.set(ledgerAccountId(organizationId, account, currency), null);
  }
  let rows = await lockLedgerAccounts(ctx.db, [...wanted.keys()]);
  if (rows.length < wanted.size) {
    await insertLedgerAccounts(ctx.db, missingAccounts(ctx, entry, new Set(rows.map((row) => row.id))));
    rows = await lockLedgerAccounts(ctx.db, [...wanted.keys()]);
  }
  if (rows.some((row) => row.organizationId !== organizationId)) {
    throw new Error("A journal must not touch a ledger account of another organization.");
  }
  return new Map(rows.map((row) => [row.id, row]));
}

function missingAccounts(ctx: PostContext, entry: Entry, known: ReadonlySet<string>): LedgerAccountRow[] {
  const missing = new Map<string, LedgerAccountRow>();
  for (const { postings, currency } of entry.journals) {
    for (const { account } of postings) {
      const row = newLedgerAccount(entry.organizationId, account, currency, ctx.now);
      if (!known.has(row.id)) missing.set(row.id, row);
    }
  }
  return [...missing.values()];
}

/** What was posted for a transaction, as journals again: to be reversed, or to be explained. */
export async function journalsOf(
  q: Parameters<typeof journalLines>[0],
  organizationId: string,
  transactionId: string,
): Promise<(Journal & { id: string })[]> {
  const found = new Map<string, Journal & { id: string }>();
  for (const line of await journalLines(q, organizationId, transactionId)) {
    const { journalId: id, event, currency, side, amount, accountId, name } = line;
    const journal = found.get(id) ?? { id, event: event as Journal["event"], currency, postings: [] };
    journal.postings.push({ account: { accountId, name } as Journal["postings"][number]["account"], side, amount });
    found.set(id, journal);
  }
  return [...found.values()];
}
