// From a row to its wire form, and to the data of its events.
import type { transactions } from "@/db/tables";
import { iso, isoOrNull } from "@/server/process/clock";
import type { Transaction } from "./schema";

export type TransactionRow = typeof transactions.$inferSelect;

/** Whether the caller sees a transaction as one of the account, rather than from a transfer's destination. */
export type Perspective = (accountId: string) => boolean;

/** From everywhere in the organization: a transfer belongs to its source. */
export const fromAnywhere: Perspective = () => true;

/** What the time has made of a stored status: an authorization lapses at its instant, for every reader. */
const statusAt = ({ status, captureBefore }: TransactionRow, now: number): TransactionRow["status"] =>
  status === "authorized" && captureBefore !== null && now >= captureBefore ? "expired" : status;

/** Minor units that moved, or are about to: of an authorization that was captured in part only that part. */
const moved = ({ amount, amountCaptured }: TransactionRow): number => (amountCaptured > 0 ? amountCaptured : amount);

/** A transaction as the caller sees it at `now` (epoch ms): a transfer is `in` for those who see only its destination. */
export function present(row: TransactionRow, isOwn: Perspective, now: number): Transaction {
  const direction = isOwn(row.accountId) ? row.direction : "in";
  return {
    transaction_id: row.id,
    account_id: row.accountId,
    type: row.type,
    status: statusAt(row, now),
    direction,
    amount: row.amount,
    currency: row.currency,
    fee_amount: row.feeAmount,
    net_amount: (direction === "in" ? moved(row) : -moved(row)) - row.feeAmount,
    amount_captured: row.amountCaptured,
    amount_refunded: row.amountRefunded,
    amount_disputed: row.amountDisputed,
    payment_id: row.paymentId,
    parent_transaction_id: row.parentTransactionId,
    destination_account_id: row.destinationAccountId,
    payment_method: row.paymentMethod,
    provider: row.provider,
    provider_reference: row.providerReference,
    failure: row.failure && { code: row.failure.code, message: row.failure.message },
    reason: row.reason,
    reference: row.reference,
    description: row.description,
    customer: row.customer,
    metadata: row.metadata,
    effective_at: iso(row.effectiveAt),
    livemode: row.livemode,
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
    settled_at: isoOrNull(row.settledAt),
  };
}

/** What an event says of a transaction: ids, amounts and codes, no personal values. */
export function eventData(row: TransactionRow): Record<string, unknown> {
  return {
    transaction_id: row.id,
    account_id: row.accountId,
    type: row.type,
    status: row.status,
    direction: row.direction,
    amount: row.amount,
    currency: row.currency,
    amount_captured: row.amountCaptured,
    amount_refunded: row.amountRefunded,
    payment_id: row.paymentId,
    parent_transaction_id: row.parentTransactionId,
    destination_account_id: row.destinationAccountId,
    failure_code: row.failure?.code ?? null,
    livemode: row.livemode,
  };
}
