// The ledger without a database: the chart of ledger accounts, one posting template per event, exact arithmetic.
import type { sides } from "@/db/schema/values";
import { limits } from "@/server/kit/limits";

export type Side = (typeof sides)[number];

/** Ledger accounts that one account of the organization owns. */
export type OwnAccountName = "available" | "held" | "refund_pending" | "memo:auth_open";

/** Ledger accounts that the organization owns. */
export type OrganizationAccountName =
  | `provider:${string}:clearing`
  | "bank"
  | "expense:goodwill"
  | "suspense:adjust"
  | "memo:auth_contra";

/** A ledger account within one organization; `accountId` is null where the organization itself is the owner. */
export type LedgerAccountName =
  | { accountId: string; name: OwnAccountName }
  | { accountId: null; name: OrganizationAccountName };

/** One line of a journal, in minor units of the journal's currency. */
export type Posting = { account: LedgerAccountName; side: Side; amount: number };

export type JournalEvent =
  | "offline_payment_received"
  | "payment_captured"
  | "authorization_opened"
  | "authorization_released"
  | "refund_created"
  | "refund_succeeded"
  | "refund_failed"
  | "refund_returned"
  | "credit_granted"
  | "transfer_posted"
  | "adjustment_posted"
  | "reserve_opened"
  | "reserve_released"
  | "journal_reversed";

/** One balanced movement of money, not yet written. */
export type Journal = {
  event: JournalEvent;
  currency: string;
  postings: Posting[];
  reversesJournalId?: string;
};

type Movement = { accountId: string; amount: number; currency: string };

const debitNormal = new Set<string>(["bank", "expense:goodwill", "memo:auth_open"]);

/** The side on which a ledger account of this name grows. */
export function normalSide(name: LedgerAccountName["name"]): Side {
  return debitNormal.has(name) || name.startsWith("provider:") ? "debit" : "credit";
}

/** `{owner id}:{name}:{currency}`. */
export function ledgerAccountId(organizationId: string, account: LedgerAccountName, currency: string): string {
  return `${account.accountId ?? organizationId}:${account.name}:${currency}`;
}

const available = (accountId: string): LedgerAccountName => ({ accountId, name: "available" });
const refundPending = (accountId: string): LedgerAccountName => ({ accountId, name: "refund_pending" });
const held = (accountId: string): LedgerAccountName => ({ accountId, name: "held" });
const authorizationOpen = (accountId: string): LedgerAccountName => ({ accountId, name: "memo:auth_open" });
const authorizationContra: LedgerAccountName = { accountId: null, name: "memo:auth_contra" };
const bank: LedgerAccountName = { accountId: null, name: "bank" };

/** Where money stands before it reaches the organization's own bank: with the provider, or in the bank for null. */
const moneyWith = (provider: string | null): LedgerAccountName =>
  provider === null ? bank : { accountId: null, name: `provider:${provider}:clearing` };

function move(from: LedgerAccountName, to: LedgerAccountName, amount: number): Posting[] {
  return [
    { account: from, side: "debit", amount },
    { account: to, side: "credit", amount },
  ];
}

/** Money that came outside the pay page, straight to the organization's bank. */
export const offlinePayment = ({ accountId, amount, currency }: Movement): Journal => ({
  event: "offline_payment_received",
  currency,
  postings: move(bank, available(accountId), amount),
});

/**
 * A provider took the money. `heldAmount` is what of it was held by an authorization before (nothing without one), and
 * `releasedAmount` the rest of that hold, which a final capture lets go.
 */
export function captured(
  capture: Movement & { provider: string; heldAmount?: number; releasedAmount?: number },
): Journal {
  const { accountId, provider, amount, currency, heldAmount = 0, releasedAmount = 0 } = capture;
  const postings = move(moneyWith(provider), available(accountId), amount);
  const closed = heldAmount + releasedAmount;
  if (closed > 0) postings.push(...move(authorizationContra, authorizationOpen(accountId), closed));
  return { event: "payment_captured", currency, postings };
}

/** A card was authorized: no money has moved, so the lines stand in the memo pair. */
export const authorizationOpened = ({ accountId, amount, currency }: Movement): Journal => ({
  event: "authorization_opened",
  currency,
  postings: move(authorizationOpen(accountId), authorizationContra, amount),
});

/** What was left of an authorization was let go: voided, expired, or not captured. */
export const authorizationReleased = ({ accountId, amount, currency }: Movement): Journal => ({
  event: "authorization_released",
  currency,
  postings: move(authorizationContra, authorizationOpen(accountId), amount),
});

/** A refund was asked for: its money is reserved at once, so that it cannot be spent twice. */
export const refundCreated = ({ accountId, amount, currency }: Movement): Journal => ({
  event: "refund_created",
  currency,
  postings: move(available(accountId), refundPending(accountId), amount),
});

/** The refund's money left by the provider, or by the bank for `provider: null`. */
export const refundSucceeded = (refund: Movement & { provider: string | null }): Journal => ({
  event: "refund_succeeded",
  currency: refund.currency,
  postings: move(refundPending(refund.accountId), moneyWith(refund.provider), refund.amount),
});

/** The refund did not happen: what was reserved for it is available again. */
export const refundFailed = ({ accountId, amount, currency }: Movement): Journal => ({
  event: "refund_failed",
  currency,
  postings: move(refundPending(accountId), available(accountId), amount),
});

/** A refund that had succeeded failed later: the provider gave its money back. */
export const refundReturned = (refund: Movement & { provider: string | null }): Journal => ({
  event: "refund_returned",
  currency: refund.currency,
  postings: move(moneyWith(refund.provider), available(refund.accountId), refund.amount),
});

/** Goodwill from the organization to the account. */
export const goodwillCredit = ({ accountId, amount, currency }: Movement): Journal => ({
  event: "credit_granted",
  currency,
  postings: move({ accountId: null, name: "expense:goodwill" }, available(accountId), amount),
});

/** Money moved between two accounts of the organization. */
export const transfer = (between: { from: string; to: string; amount: number; currency: string }): Journal => ({
  event: "transfer_posted",
  currency: between.currency,
  postings: move(available(between.from), available(between.to), between.amount),
});

/** An admin's correction of an account's balance, against the suspense account. */
export function adjustment(correction: Movement & { direction: "in" | "out" }): Journal {
  const { accountId, amount, currency, direction } = correction;
  const suspense: LedgerAccountName = { accountId: null, name: "suspense:adjust" };
  const [from, to] = direction === "in" ? [suspense, available(accountId)] : [available(accountId), suspense];
  return { event: "adjustment_posted", currency, postings: move(from, to, amount) };
}

/** Part of a balance was set aside. */
export const reserveOpened = ({ accountId, amount, currency }: Movement): Journal => ({
  event: "reserve_opened",
  currency,
  postings: move(available(accountId), held(accountId), amount),
});

/** What was set aside may be spent again. */
export const reserveReleased = ({ accountId, amount, currency }: Movement): Journal => ({
  event: "reserve_released",
  currency,
  postings: move(held(accountId), available(accountId), amount),
});

/** The opposite of a written journal, line by line; a journal can be reversed once. Throws for a reversal itself. */
export function reversal(journal: Journal & { id: string }): Journal {
  if (journal.event === "journal_reversed") throw new RangeError("A reversal cannot be reversed: post the event anew.");
  return {
    event: "journal_reversed",
    currency: journal.currency,
    postings: journal.postings.map((line) => ({ ...line, side: line.side === "debit" ? "credit" : "debit" })),
    reversesJournalId: journal.id,
  };
}

/** Throws unless the journal has two lines or more, whole positive amounts, and equal debits and credits. */
export function assertBalanced(journal: Journal): void {
  let difference = 0;
  for (const { side, amount } of journal.postings) {
    if (!Number.isSafeInteger(amount) || amount < 1 || amount > limits.amount) {
      throw new RangeError(`A posting's amount must be an integer from 1 to ${limits.amount}, not ${amount}.`);
    }
    difference += side === "debit" ? amount : -amount;
  }
  if (journal.postings.length < 2) throw new RangeError(`A journal needs two lines or more: ${journal.event}.`);
  if (difference !== 0)
    throw new RangeError(`A journal's debits and credits differ by ${difference}: ${journal.event}.`);
}

/** Ledger accounts that never go below zero by a posting of ours: nobody spends, returns or releases what is not there. */
export const neverNegative = (name: string): boolean =>
  name === "available" || name === "held" || name === "refund_pending" || name === "memo:auth_open";
