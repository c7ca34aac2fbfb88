// Writing to the ledger: the one way in. Locks, seals and inserts within the caller's transaction.
import type { Tx } from "@/db/client";
import { type JournalHeader, type LedgerAccountRow, newLedgerAccount, type PostingRefusal, seal } from "./chain";
import { assertBalanced, type Book, type Journal, ledgerAccountId } from "./rules";
import { insertJournals, insertLedgerAccounts, insertPostings, lockLedgerAccounts, saveHeads } from "./store";

/** What posting needs of a write operation's context. */
export interface PostContext {
  readonly db: Tx;
  /** Epoch ms. */
  readonly now: number;
  id(prefix: "jrn"): string;
}

/** Journals to be posted together for one transaction, whose row must exist. */
export interface Entry extends Book {
  transactionId: string;
  journals: readonly Journal[];
}

/** What has happened cannot be posted; the transaction must not commit. */
export class PostingRefused extends Error {
  constructor(readonly refusal: PostingRefusal) {
    super(`The ledger refused a posting: ${refusal}.`);
    this.name = "PostingRefused";
  }
}

/**
 * Posts, in order, what has happened at a provider: no limit on balances refuses it, since room was left when it was
 * asked for (see `hasRoomFor`). Throws {@link PostingRefused} where money would be spent that is not there or a balance
 * would pass 2^53 − 1, RangeError for an unbalanced journal.
 */
export async function postFacts(ctx: PostContext, entry: Entry): Promise<void> {
  const refusal = await post(ctx, entry, true);
  if (refusal) throw new PostingRefused(refusal);
}

/**
 * Posts what a caller asks for: all journals in order, or none and answers why. `insufficient_balance` if an account would
 * spend more than it has available, checked under the lock; `balance_limit_exceeded` beyond the limits of one account.
 */
export const tryPostJournals = (ctx: PostContext, entry: Entry): Promise<PostingRefusal | null> =>
  post(ctx, entry, false);

async function post(ctx: PostContext, entry: Entry, isFact: boolean): Promise<PostingRefusal | null> {
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
      createdAt: ctx.now,
    };
    const sealed = seal({ header, book: entry, journal, isFact }, accounts);
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
  const wanted = new Map<string, LedgerAccountRow | null>();
  for (const { postings, currency } of entry.journals) {
    for (const { account } of postings) wanted.set(ledgerAccountId(entry, account, currency), null);
  }
  let rows = await lockLedgerAccounts(ctx.db, [...wanted.keys()]);
  if (rows.length < wanted.size) {
    await insertLedgerAccounts(ctx.db, missingAccounts(ctx, entry, new Set(rows.map((row) => row.id))));
    rows = await lockLedgerAccounts(ctx.db, [...wanted.keys()]);
  }
  if (rows.some((row) => row.organizationId !== entry.organizationId)) {
    throw new Error("A journal must not touch a ledger account of another organization.");
  }
  return new Map(rows.map((row) => [row.id, row]));
}

function missingAccounts(ctx: PostContext, entry: Entry, known: ReadonlySet<string>): LedgerAccountRow[] {
  const missing = new Map<string, LedgerAccountRow>();
  for (const { postings, currency } of entry.journals) {
    for (const { account } of postings) {
      const row = newLedgerAccount(entry, account, currency, ctx.now);
      if (!known.has(row.id)) missing.set(row.id, row);
    }
  }
  return [...missing.values()];
}
