// Seals postings: each gets its ledger account's next number, the balance after it, and a hash that covers all postings
// before it.
import { hash } from "node:crypto";
import type { EntryKind, journalSources } from "@/db/schema/values";
import type { ledgerAccounts, postings } from "@/db/tables";
import { balanceLimit, keepsAboveZero } from "./bounds";
import { type Book, type Journal, type LedgerAccountName, ledgerAccountId, normalSide } from "./rules";

export type LedgerAccountRow = typeof ledgerAccounts.$inferSelect;
export type PostingRow = typeof postings.$inferInsert;

/** The journal's fields that each posting's hash covers, so that changes to the journal row are noticed too. */
export interface JournalHeader {
  id: string;
  organizationId: string;
  sourceKind: JournalSource["kind"];
  sourceId: string;
  transactionId: string | null;
  event: string;
  /** Epoch milliseconds of the organization's time. */
  bookedAt: number;
  valueAt: number;
  /** Epoch milliseconds. */
  createdAt: number;
}

/** What a journal tells about. */
export type JournalSource = { kind: (typeof journalSources)[number]; id: string };

/** Why a journal cannot be posted. Nothing was written. */
export type PostingRefusal = "insufficient_balance" | "balance_limit_exceeded";

const sha256 = (lines: readonly (string | number)[]): string => hash("sha256", lines.join("\n"), "hex");

/** The hash that precedes a ledger account's first posting. */
const genesisHash = (account: Pick<LedgerAccountRow, "id" | "organizationId" | "normalSide" | "createdAt">): string =>
  sha256(["ledger account 1", account.id, account.organizationId, account.normalSide, account.createdAt]);

/** SHA-256 over the previous hash, the posting and its journal, one value per line. No value contains a line break. */
export function postingHash(journal: JournalHeader, posting: Omit<PostingRow, "hash">): string {
  return sha256([
    "posting 2",
    posting.previousHash,
    posting.ledgerAccountId,
    posting.sequence,
    posting.side,
    posting.amount,
    posting.currency,
    posting.balanceAfter,
    journal.id,
    journal.organizationId,
    journal.sourceKind,
    journal.sourceId,
    journal.event,
    // The position of a reversed journal's id: no journal reverses another.
    "-",
    journal.bookedAt,
    journal.valueAt,
    journal.createdAt,
  ]);
}

/** A ledger account without postings. */
export function newLedgerAccount(book: Book, name: LedgerAccountName, currency: string, now: number): LedgerAccountRow {
  const account = {
    id: ledgerAccountId(book, name, currency),
    organizationId: book.organizationId,
    livemode: book.livemode,
    accountId: name.accountId,
    forAccountId: name.accountId === null ? name.forAccountId : null,
    name: name.name,
    currency,
    normalSide: normalSide(name.name),
    createdAt: now,
  };
  return { ...account, balance: 0, sequence: 0, bookedAt: 0, headHash: genesisHash(account) };
}

const entryKindOf: Readonly<Record<string, EntryKind>> = {
  available: "available",
  held: "held",
  refund_pending: "refund_pending",
  "memo:auth_open": "pending",
};

/** What a line in the ledger account counts towards, and whose it is; nothing if it is the organization's own. */
function entryOf({ name, accountId, forAccountId }: LedgerAccountRow): Pick<PostingRow, "accountId" | "kind"> {
  const kind = name.startsWith("cust:") ? "customer_credit" : (entryKindOf[name] ?? null);
  return { kind, accountId: kind === null ? null : (accountId ?? forAccountId) };
}

/** What to seal, and in which book. A fact has already happened, so only the largest exact number limits it. */
interface Sealing {
  header: JournalHeader;
  book: Book;
  journal: Journal;
  isFact: boolean;
}

/**
 * Returns the rows of one journal and updates `accounts` to the state after it. The caller must have locked the
 * accounts. After a refusal the accounts must not be used, because some may have been updated.
 */
export function seal(
  { header, book, journal, isFact }: Sealing,
  accounts: ReadonlyMap<string, LedgerAccountRow>,
): PostingRow[] | PostingRefusal {
  const rows: PostingRow[] = [];
  const before = new Map<LedgerAccountRow, number>();
  const limit = balanceLimit(journal.event, isFact);
  for (const { account: name, side, amount } of journal.postings) {
    const account = accounts.get(ledgerAccountId(book, name, journal.currency));
    if (!account) throw new Error("A ledger account must be locked before it is posted to.");
    if (!before.has(account)) before.set(account, account.balance);
    const earlier = Math.abs(account.balance);
    account.balance += side === account.normalSide ? amount : -amount;
    const now = Math.abs(account.balance);
    if (now > limit && now > earlier) return "balance_limit_exceeded";
    account.sequence += 1;
    account.bookedAt = header.bookedAt;
    const row = {
      ledgerAccountId: account.id,
      sequence: account.sequence,
      journalId: header.id,
      side,
      amount,
      currency: journal.currency,
      balanceAfter: account.balance,
      organizationId: account.organizationId,
      ...entryOf(account),
      bookedAt: header.bookedAt,
      previousHash: account.headHash,
    };
    account.headHash = postingHash(header, row);
    rows.push({ ...row, hash: account.headHash });
  }
  for (const [account, balance] of before) {
    if (account.balance >= 0 || account.balance >= balance || !keepsAboveZero(account.name, journal.event)) continue;
    if (account.name === "available") return "insufficient_balance";
    throw new Error(`${journal.event} would take ${account.name} below zero.`);
  }
  return rows;
}
