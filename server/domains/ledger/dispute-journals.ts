// The journals of a dispute: what the provider takes back at once is held until the dispute is decided.
import {
  available,
  type Journal,
  type LedgerAccountName,
  type Movement,
  moneyWith,
  move,
  ofOrganization,
} from "./rules";

const held = (accountId: string): LedgerAccountName => ({ accountId, name: "held" });
const disputeInFlight = (accountId: string) => ofOrganization("dispute:in_flight", accountId);

/** A payment at a provider of which an amount is disputed. */
type Dispute = Movement & { provider: string };

/**
 * A dispute was opened. The provider takes the money back at once, and the account's share is held, even if the account
 * has spent it: only then may what is available fall below zero.
 */
export const disputeOpened = ({ accountId, amount, currency, provider }: Dispute): Journal => ({
  event: "dispute_opened",
  currency,
  postings: [
    ...move(available(accountId), held(accountId), amount),
    ...move(disputeInFlight(accountId), moneyWith(provider, accountId), amount),
  ],
});

/** The dispute was won: the provider returned the money, and it is available again. */
export const disputeWon = ({ accountId, amount, currency, provider }: Dispute): Journal => ({
  event: "dispute_won",
  currency,
  postings: [
    ...move(held(accountId), available(accountId), amount),
    ...move(moneyWith(provider, accountId), disputeInFlight(accountId), amount),
  ],
});

/** The dispute was lost: the customer keeps the money. */
export const disputeLost = ({ accountId, amount, currency }: Dispute): Journal => ({
  event: "dispute_lost",
  currency,
  postings: move(held(accountId), disputeInFlight(accountId), amount),
});
