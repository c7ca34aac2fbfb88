// The ledger without a database: the chart of ledger accounts, one posting template per event, exact arithmetic.
import type { sides } from "@/db/schema/values";
import { limits } from "@/server/kit/limits";

type Side = (typeof sides)[number];

/** Ledger accounts owned by one account. */
type OwnAccountName = "available" | "held" | "refund_pending" | "memo:auth_open";

/** Ledger accounts owned by the organization. */
type OrganizationAccountName =
  | `provider:${string}:clearing`
  | "bank"
  | "dispute:in_flight"
  | "expense:goodwill"
  | "suspense:adjust"
  | "memo:auth_contra"
  | `cust:${string}:credit`;

/** Minor units of a customer's credit that an event moves. */
export interface CreditPart {
  customerId: string;
  amount: number;
}

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

export type JournalEvent =
  | "offline_payment_received"
  | "payment_captured"
  | "authorization_opened"
  | "authorization_released"
  | "refund_created"
  | "refund_succeeded"
  | "refund_failed"
  | "refund_returned"
  | "dispute_opened"
  | "dispute_won"
  | "dispute_lost"
  | "credit_granted"
  | "credit_applied"
  | "credit_given_back"
  | "credit_moved"
  | "transfer_posted"
  | "adjustment_posted";

/** A balanced journal that has not been written yet. */
export type Journal = {
  event: JournalEvent;
  currency: string;
  postings: Posting[];
};

export type Movement = { accountId: string; amount: number; currency: string };

const debitNormal = new Set<string>(["bank", "dispute:in_flight", "expense:goodwill", "memo:auth_open"]);

/** The normal side of a ledger account: the side on which it grows. */
export function normalSide(name: LedgerAccountName["name"]): Side {
  return debitNormal.has(name) || name.startsWith("provider:") ? "debit" : "credit";
}

/** `{owner}:{name}:{currency}`, with `:live` for real money. The owner is an account, or `{organization}/{account}`. */
export function ledgerAccountId(book: Book, account: LedgerAccountName, currency: string): string {
  const owner = account.accountId ?? `${book.organizationId}/${account.forAccountId}`;
  return `${owner}:${account.name}:${currency}${book.livemode ? ":live" : ""}`;
}

/** What an account may spend. */
export const available = (accountId: string): LedgerAccountName => ({ accountId, name: "available" });
const refundPending = (accountId: string): LedgerAccountName => ({ accountId, name: "refund_pending" });
const authorizationOpen = (accountId: string): LedgerAccountName => ({ accountId, name: "memo:auth_open" });
/** The organization's part of a ledger account for one of its accounts. */
export const ofOrganization = (name: OrganizationAccountName, forAccountId: string): LedgerAccountName => ({
  accountId: null,
  name,
  forAccountId,
});
/** What is owed to a customer. It is one part of the organization's, because a customer belongs to one account. */
const creditOf = (customerId: string, accountId: string) => ofOrganization(`cust:${customerId}:credit`, accountId);
const authorizationContra = (accountId: string) => ofOrganization("memo:auth_contra", accountId);

/** Where an account's money is: with its provider, or for null in the organization's bank. */
export const moneyWith = (provider: string | null, accountId: string): LedgerAccountName =>
  ofOrganization(provider === null ? "bank" : `provider:${provider}:clearing`, accountId);

/** The lines that move an amount: from the debited to the credited ledger account. */
export function move(from: LedgerAccountName, to: LedgerAccountName, amount: number): Posting[] {
  return [
    { account: from, side: "debit", amount },
    { account: to, side: "credit", amount },
  ];
}

/** A payment outside the pay page, straight to the organization's bank. Its surplus may become the customer's credit. */
export const offlinePayment = ({ credit, ...received }: Movement & { credit?: CreditPart | null }): Journal => {
  const { accountId, amount, currency } = received;
  const postings = move(moneyWith(null, accountId), available(accountId), amount);
  if (credit) postings.push(...move(available(accountId), creditOf(credit.customerId, accountId), credit.amount));
  return { event: "offline_payment_received", currency, postings };
};

/** A payment was made of the customer's credit. */
export const creditApplied = ({ accountId, amount, currency, customerId }: Movement & CreditPart): Journal => ({
  event: "credit_applied",
  currency,
  postings: move(creditOf(customerId, accountId), available(accountId), amount),
});

/** A payment that was made of the customer's credit was refunded: the credit is there again. */
export const creditGivenBack = ({ accountId, amount, currency, customerId }: Movement & CreditPart): Journal => ({
  event: "credit_given_back",
  currency,
  postings: move(available(accountId), creditOf(customerId, accountId), amount),
});

/** A customer was merged: its credit is the survivor's. A line takes no more than an amount can be. */
export function creditMoved(moved: Movement & { from: string; to: string }): Journal {
  const { accountId, currency, from, to } = moved;
  const postings: Posting[] = [];
  for (let left = moved.amount; left > 0; left -= limits.amount) {
    postings.push(...move(creditOf(from, accountId), creditOf(to, accountId), Math.min(left, limits.amount)));
  }
  return { event: "credit_moved", currency, postings };
}

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

/** A refund's movement. `credit` is the part of it that is taken out of the customer's credit. */
type Refund = Movement & { credit?: CreditPart | null };

/** Where the money of a refund comes from, and returns to if it fails: first the credit that it takes back. */
function refundSources({ accountId, amount, credit }: Refund): [account: LedgerAccountName, amount: number][] {
  if (!credit) return [[available(accountId), amount]];
  const taken: [LedgerAccountName, number] = [creditOf(credit.customerId, accountId), credit.amount];
  return amount === credit.amount ? [taken] : [taken, [available(accountId), amount - credit.amount]];
}

/** A refund was created: its money is reserved at once, so that it cannot be spent twice. */
export const refundCreated = (refund: Refund): Journal => ({
  event: "refund_created",
  currency: refund.currency,
  postings: refundSources(refund).flatMap(([from, part]) => move(from, refundPending(refund.accountId), part)),
});

/** The refund was paid out by the provider, or by the bank for `provider: null`. */
export const refundSucceeded = (refund: Movement & { provider: string | null }): Journal => ({
  event: "refund_succeeded",
  currency: refund.currency,
  postings: move(refundPending(refund.accountId), moneyWith(refund.provider, refund.accountId), refund.amount),
});

/** The refund failed: its reserve is available again, and what it took of a credit is there again. */
export const refundFailed = (refund: Refund): Journal => ({
  event: "refund_failed",
  currency: refund.currency,
  postings: refundSources(refund).flatMap(([to, part]) => move(refundPending(refund.accountId), to, part)),
});

/** A successful refund failed later: the provider returned the money. */
export const refundReturned = (refund: Refund & { provider: string | null }): Journal => ({
  event: "refund_returned",
  currency: refund.currency,
  postings: refundSources(refund).flatMap(([to, part]) => move(moneyWith(refund.provider, refund.accountId), to, part)),
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
