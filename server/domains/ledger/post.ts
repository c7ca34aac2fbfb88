// The only way to write to the ledger. Locks, seals and inserts within the caller's database transaction.
import type { Tx } from "@/db/client";
import type { Clock } from "@/server/process/clock";
import {
  type JournalHeader,
  type JournalSource,
  type LedgerAccountRow,
  newLedgerAccount,
  type PostingRefusal,
  seal,
} from "./chain";
import { assertBalanced, type Book, type Journal, ledgerAccountId } from "./rules";
import { insertJournals, insertLedgerAccounts, insertPostings, lockLedgerAccounts, saveHeads } from "./store";

/** The parts of a write operation's context that posting needs. */
interface PostContext {
  readonly db: Tx;
  /** Epoch milliseconds. */
  readonly realNow: number;
  /** Its clock shows the time of the organization whose money moves. */
  readonly runtime: { readonly clock: Pick<Clock, "now"> };
  id(prefix: "jrn"): string;
}

/** Journals to post together that tell about one object, whose row must exist. */
export interface Entry extends Book {
  source: JournalSource;
  /** When the money moved, in epoch milliseconds of the organization's time; null for the time of posting. */
  valueAt: number | null;
  journals: readonly Journal[];
}

/** A fact could not be posted. The database transaction must not commit. */
export class PostingRefused extends Error {
  constructor(readonly refusal: PostingRefusal) {
    super(`The ledger refused a posting: ${refusal}.`);
    this.name = "PostingRefused";
  }
}

/**
 * Posts facts, events that have happened at a provider, in order. The limits for callers do not apply, because room was
 * checked before the provider was called (see `hasRoomFor`). Throws {@link PostingRefused} if an account would spend
 * more than it has or a balance would exceed 2^53 − 1, and RangeError for an unbalanced journal.
 */
export async function postFacts(ctx: PostContext, entry: Entry): Promise<void> {
  const refusal = await post(ctx, entry, true);
  if (refusal) throw new PostingRefused(refusal);
}

/**
 * Posts what a caller requests: all journals in order, or none; then returns the reason. `insufficient_balance` if an
 * account would spend more than is available, checked under the row lock; `balance_limit_exceeded` beyond the limits of
 * one account.
 */
export const tryPostJournals = (ctx: PostContext, entry: Entry): Promise<PostingRefusal | null> =>
  post(ctx, entry, false);

async function post(ctx: PostContext, entry: Entry, isFact: boolean): Promise<PostingRefusal | null> {
  if (entry.journals.length === 0) return null;
  for (const journal of entry.journals) assertBalanced(journal);
  const accounts = await lockForPosting(ctx, entry);
  const times = timesOf(ctx, entry, accounts);
  const headers: JournalHeader[] = [];
  const rows = [];
  for (const journal of entry.journals) {
    const header = {
      id: ctx.id("jrn"),
      organizationId: entry.organizationId,
      sourceKind: entry.source.kind,
      sourceId: entry.source.id,
      transactionId: entry.source.id,
      event: journal.event,
      ...times,
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

/**
 * When the entry is booked: now, read after its ledger accounts were locked, and never before their latest postings. So
 * the postings of each ledger account are booked in their order, whichever process posts, and also by an act that a
 * sandbox clock makes due at an instant in the past.
 */
function timesOf(
  { realNow, runtime }: PostContext,
  { valueAt }: Entry,
  accounts: ReadonlyMap<string, LedgerAccountRow>,
): Pick<JournalHeader, "bookedAt" | "valueAt" | "createdAt"> {
  const bookedAt = Math.max(runtime.clock.now(), ...[...accounts.values()].map((account) => account.bookedAt));
  return { bookedAt, valueAt: valueAt ?? bookedAt, createdAt: realNow };
}

/** Locks every ledger account of the entry in id order, creating those that do not exist yet. */
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
      const row = newLedgerAccount(entry, account, currency, ctx.realNow);
      if (!known.has(row.id)) missing.set(row.id, row);
    }
  }
  return [...missing.values()];
}
