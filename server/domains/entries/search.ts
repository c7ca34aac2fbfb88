// The search behind the list and the export of ledger entries: what the caller sees, in windows of candidates.
import { searchedAccounts, visibleAccount } from "@/server/domains/accounts/authorized-account";
import { inTurn } from "@/server/fairness/turns";
import type { ReadContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import type { Fail } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import { finalBefore } from "./final";
import type { EntryFilters, LedgerEntry } from "./schema";
import { type EntryPosition, type EntryRow, entriesAfter, type Walk } from "./store";

/** A search, and the instant before which its entries are final (epoch milliseconds). */
export interface EntrySearch {
  walks: readonly Walk[];
  filters: EntryFilters;
  finalBefore: number;
}

/**
 * The search of a caller. It ends where the ledger is final: an entry that a write books late is then never before the
 * position of a reader who has gone on.
 */
export async function entrySearch(
  ctx: ReadContext,
  filters: EntryFilters,
  fail: Fail<"account_not_found">,
): Promise<EntrySearch> {
  const { organizationId } = ctx.scope;
  if (filters.account_id !== undefined) await visibleAccount(ctx, filters.account_id, fail);
  const accounts = await searchedAccounts(ctx, filters.account_id);
  const end = await finalBefore(ctx.runtime, ctx.db, organizationId);
  const walk: Walk = {
    organizationId,
    from: filters.booked_from ?? 0,
    to: Math.min(end, filters.booked_to ?? end),
    ...(filters.transaction_id !== undefined && { transactionId: filters.transaction_id }),
    ...(filters.payment_id !== undefined && { paymentId: filters.payment_id }),
  };
  const walks = accounts === null ? [walk] : accounts.map((accountId) => ({ ...walk, accountId }));
  return { walks, filters, finalBefore: end };
}

/** The matches found, and the position down to which everything was examined; null at the end. */
interface FoundEntries {
  rows: EntryRow[];
  reached: EntryPosition | null;
}

/**
 * Finds the next matches after a position: at most `limit`, in a fixed number of candidates. A caller who needs more
 * continues at `reached`. Other callers run between windows.
 */
export async function findEntries(
  ctx: ReadContext,
  search: EntrySearch,
  after: EntryPosition | null,
  limit: number,
): Promise<FoundEntries> {
  const { kind, currency } = search.filters;
  const matches = (row: EntryRow) =>
    (kind === undefined || (row.kind !== null && kind.includes(row.kind))) &&
    (currency === undefined || row.currency === currency);
  const size = kind === undefined && currency === undefined ? limit : limits.look.window;
  const rows: EntryRow[] = [];
  let at = after;
  for (let step = 1; ; step++) {
    const window = await nextWindow(ctx, search.walks, at, size);
    for (const row of window) {
      at = positionOf(row);
      if (matches(row)) rows.push(row);
      if (rows.length === limit) return { rows, reached: at };
    }
    if (window.length < size) return { rows, reached: null };
    if (step === limits.look.windows) return { rows, reached: at };
  }
}

/** The next `size` entries of all walks together. */
async function nextWindow(
  { db, request }: ReadContext,
  walks: readonly Walk[],
  after: EntryPosition | null,
  size: number,
): Promise<EntryRow[]> {
  let merged: EntryRow[] = [];
  for (const walk of walks) {
    const found = await inTurn(request, () => entriesAfter(db, { ...walk, after, limit: size }));
    merged = [...merged, ...found].sort(inOrder).slice(0, size);
  }
  return merged;
}

const inOrder = (a: EntryPosition, b: EntryPosition): number =>
  a.bookedAt - b.bookedAt || a.sequence - b.sequence || (a.ledgerAccountId < b.ledgerAccountId ? -1 : 1);

const positionOf = ({ bookedAt, sequence, ledgerAccountId }: EntryPosition): EntryPosition => ({
  ...{ bookedAt, sequence, ledgerAccountId },
});

/** An entry on the wire. */
export function presentEntry(row: EntryRow): LedgerEntry {
  if (row.kind === null || row.accountId === null) throw new Error("The posting is no entry of an account.");
  return {
    posting_id: `${row.ledgerAccountId}/${row.sequence}`,
    number: row.sequence,
    account_id: row.accountId,
    kind: row.kind,
    currency: row.currency,
    signed_amount: row.side === row.normalSide ? row.amount : -row.amount,
    balance_after: row.balanceAfter,
    booked_at: iso(row.bookedAt),
    value_at: iso(row.valueAt),
    event: row.event,
    source_id: row.sourceId,
    transaction_id: row.transactionId,
    payment_id: row.paymentId,
    invoice_number: row.invoiceNumber,
  };
}
