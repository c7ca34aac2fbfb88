// The ledger without a database: the chart of ledger accounts, one posting template per event, exact arithmetic.
import type { sides } from "@/db/schema/values";
import { limits } from "@/server/kit/limits";

type Side = (typeof sides)[number];

/** Ledger accounts owned by one account. */
type OwnAccountName = "available" | "refund_pending" | "memo:auth_open";

/** Ledger accounts owned by the organization. */
type OrganizationAccountName =
  | `provider:${string}:clearing`
  | "bank"
  | "expense:goodwill"
  | "suspense:adjust"
  | "memo:auth_contra";

/**
 * A ledger account within one book. `accountId` is null if the organization owns it. The organization's ledger accounts
 * are divided into one part per account, `forAccountId`, so that no account waits for another's row lock or fills a
 * balance that others need.
 */
export type LedgerAccountName =
  | { accountId: string; name: OwnAccountName }
  | { accountId: null; name: OrganizationAccountName; forAccountId: string };

/** One set of ledger accounts. Live and sandbox money never share one. */
export interface Book {
  organizationId: string;
  livemode: boolean;
}

/** One line of a journal, in minor units of the journal's currency. */
type Posting = { account: LedgerAccountName; side: Side; amount: number };

type JournalEvent =
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
  | "adjustment_posted";

/** A balanced journal that has not been written yet. */
export type Journal = {
  event: JournalEvent;
  currency: string;
  postings: Posting[];
};

type Movement = { accountId: string; amount: number; currency: string };

const debitNormal = new Set<string>(["bank", "expense:goodwill", "memo:auth_open"]);

/** The normal side of a ledger account: the side on which it grows. */
export function normalSide(name: LedgerAccountName["name"]): Side {
  return debitNormal.has(name) || name.startsWith("provider:") ? "debit" : "credit";
}

/** `{owner}:{name}:{currency}`, with `:live` for real money. The owner is an account, or `{organization}/{account}`. */
export function ledgerAccountId(book: Book, account: LedgerAccountName, currency: string): string {
  const owner = account.accountId ?? `${book.organizationId}/${account.forAccountId}`;
  return `${owner}:${account.name}:${currency}${book.livemode ? ":live" : ""}`;
}

const available = (accountId: string): LedgerAccountName => ({ accountId, name: "available" });
const refundPending = (accountId: string): LedgerAccountName => ({ accountId, name: "refund_pending" });
const authorizationOpen = (accountId: string): LedgerAccountName => ({ accountId, name: "memo:auth_open" });
const ofOrganization = (name: OrganizationAccountName, forAccountId: string): LedgerAccountName => ({
  accountId: null,
  name,
  forAccountId,
});
const authorizationContra = (accountId: string) => ofOrganization("memo:auth_contra", accountId);

/** Where an account's money is: with its provider, or for null in the organization's bank. */
export const moneyWith = (provider: string | null, accountId: string): LedgerAccountName =>
  ofOrganization(provider === null ? "bank" : `provider:${provider}:clearing`, accountId);

function move(from: LedgerAccountName, to: LedgerAccountName, amount: number): Posting[] {
  return [
    { account: from, side: "debit", amount },
    { account: to, side: "credit", amount },
  ];
}

/** A payment outside the pay page, straight to the organization's bank. */
export const offlinePayment = ({ accountId, amount, currency }: Movement): Journal => ({
  event: "offline_payment_received",
  currency,
  postings: move(moneyWith(null, accountId), available(accountId), amount),
});

/**
 * The provider captured money. `heldAmount` is the part that an authorization held (0 without one), and
 * `releasedAmount` the rest of that hold, which a final capture releases.
 */
export function captured(
  capture: Movement & { provider: string; heldAmount?: number; releasedAmount?: number },
): Journal {
  const { accountId, provider, amount, currency, heldAmount = 0, releasedAmount = 0 } = capture;
  const postings = move(moneyWith(provider, accountId), available(accountId), amount);
  const closed = heldAmount + releasedAmount;
  if (closed > 0) postings.push(...move(authorizationContra(accountId), authorizationOpen(accountId), closed));
  return { event: "payment_captured", currency, postings };
}

/** A card was authorized. No money has moved, so only the memo accounts change. */
export const authorizationOpened = ({ accountId, amount, currency }: Movement): Journal => ({
  event: "authorization_opened",
  currency,
  postings: move(authorizationOpen(accountId), authorizationContra(accountId), amount),
});

/** The rest of an authorization was released: voided, expired, or not captured. */
export const authorizationReleased = ({ accountId, amount, currency }: Movement): Journal => ({
  event: "authorization_released",
  currency,
  postings: move(authorizationContra(accountId), authorizationOpen(accountId), amount),
});

/** A refund was created: its money is reserved at once, so that it cannot be spent twice. */
export const refundCreated = ({ accountId, amount, currency }: Movement): Journal => ({
  event: "refund_created",
  currency,
  postings: move(available(accountId), refundPending(accountId), amount),
});

/** The refund was paid out by the provider, or by the bank for `provider: null`. */
export const refundSucceeded = (refund: Movement & { provider: string | null }): Journal => ({
  event: "refund_succeeded",
  currency: refund.currency,
  postings: move(refundPending(refund.accountId), moneyWith(refund.provider, refund.accountId), refund.amount),
});

/** The refund failed: its reserve is available again. */
export const refundFailed = ({ accountId, amount, currency }: Movement): Journal => ({
  event: "refund_failed",
  currency,
  postings: move(refundPending(accountId), available(accountId), amount),
});

/** A successful refund failed later: the provider returned the money. */
export const refundReturned = (refund: Movement & { provider: string | null }): Journal => ({
  event: "refund_returned",
  currency: refund.currency,
  postings: move(moneyWith(refund.provider, refund.accountId), available(refund.accountId), refund.amount),
});

/** A goodwill credit from the organization to the account. */
export const goodwillCredit = ({ accountId, amount, currency }: Movement): Journal => ({
  event: "credit_granted",
  currency,
  postings: move(ofOrganization("expense:goodwill", accountId), available(accountId), amount),
});

/** A transfer between two accounts of the organization. */
export const transfer = (between: { from: string; to: string; amount: number; currency: string }): Journal => ({
  event: "transfer_posted",
  currency: between.currency,
  postings: move(available(between.from), available(between.to), between.amount),
});

/** A correction of an account's balance, against the suspense account. */
export function adjustment(correction: Movement & { direction: "in" | "out" }): Journal {
  const { accountId, amount, currency, direction } = correction;
  const suspense = ofOrganization("suspense:adjust", accountId);
  const [from, to] = direction === "in" ? [suspense, available(accountId)] : [available(accountId), suspense];
  return { event: "adjustment_posted", currency, postings: move(from, to, amount) };
}

/** Throws unless the journal has at least two lines, positive integer amounts, and equal debits and credits. */
export function assertBalanced(journal: Journal): void {
  let difference = 0;
  for (const { side, amount } of journal.postings) {
    if (!Number.isSafeInteger(amount) || amount < 1 || amount > limits.amount) {
      throw new RangeError(`A posting's amount must be an integer from 1 to ${limits.amount}, not ${amount}.`);
    }
    difference += side === "debit" ? amount : -amount;
  }
  if (journal.postings.length < 2) throw new RangeError(`A journal needs at least two lines: ${journal.event}.`);
  if (difference !== 0)
    throw new RangeError(`A journal's debits and credits differ by ${difference}: ${journal.event}.`);
}

/** Ledger accounts that no posting may take below zero: nobody spends, returns or releases what is not there. */
export const neverNegative = (name: string): boolean =>
  name === "available" || name === "refund_pending" || name === "memo:auth_open";

/**
 * The largest absolute balance that a posting may lead to, in minor units. Facts from a provider (`isFact`) may reach
 * the largest exact number. Callers' requests stop just under half of it, and transfers from other accounts well before
 * that, so that nobody can use up the room that an account needs for its own payments.
 */
export function balanceLimit(event: JournalEvent, isFact: boolean): number {
  if (isFact) return Number.MAX_SAFE_INTEGER;
  return event === "transfer_posted" ? limits.balance.byTransfer : limits.balance.byRequest;
}
