// Presents a transaction's row on the wire and in events.
import type { transactions } from "@/db/tables";
import { iso, isoOrNull } from "@/server/process/clock";
import type { Transaction } from "./schema";

export type TransactionRow = typeof transactions.$inferSelect;

/** The columns that {@link present} needs. Lists read no others. */
export type ShownRow = Pick<TransactionRow, (typeof shownColumns)[number]>;
export const shownColumns = [
  "id",
  "accountId",
  "type",
  "status",
  "direction",
  "amount",
  "currency",
  "feeAmount",
  "amountCaptured",
  "amountRefunded",
  "amountDisputed",
  "paymentId",
  "parentTransactionId",
  "destinationAccountId",
  "paymentMethod",
  "provider",
  "providerReference",
  "failure",
  "reason",
  "reference",
  "description",
  "customerId",
  "customer",
  "metadata",
  "effectiveAt",
  "livemode",
  "captureBefore",
  "createdAt",
  "updatedAt",
  "settledAt",
] as const;

/** Whether the caller sees the account; otherwise it sees a transfer only from its destination. */
export type Perspective = (accountId: string) => boolean;

/** The view of a caller who sees all accounts: a transfer belongs to its source. */
export const fromAnywhere: Perspective = () => true;

/** The status at `now`: an authorization lapses at `captureBefore` for every reader. */
const statusAt = ({ status, captureBefore }: ShownRow, now: number): TransactionRow["status"] =>
  status === "authorized" && captureBefore !== null && now >= captureBefore ? "expired" : status;

/** Minor units that have moved: what was captured of a payment, and nothing for a refund that failed. */
function moved({ type, status, amount, amountCaptured }: ShownRow): number {
  if (type === "payment") return amountCaptured;
  return status === "failed" ? 0 : amount;
}

/**
 * Minor units of a payment that left what is available: what an open dispute holds or a lost one took, and what became
 * credit of the customer, less what refunds took back of that.
 */
const withdrawn = ({ type, amountDisputed }: ShownRow, { credit }: Related): number =>
  type === "payment" ? amountDisputed + (credit === null ? 0 : credit.amountLeft + credit.amountSpent) : 0;

/** What a transaction's record says beyond its row. */
interface Related {
  customerId: string | null;
  /** The credit that was made of its surplus, and what is left and spent of it. */
  credit: { amount: number; amountLeft: number; amountSpent: number } | null;
}

/** A transaction as the caller sees it at `now` (epoch ms): a transfer is `in` if only its destination is seen. */
export function present(row: ShownRow, related: Related, isOwn: Perspective, now: number): Transaction {
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
    // 0 - 0 is 0, but -0 would be another number.
    net_amount: (direction === "in" ? moved(row) : 0 - moved(row)) - row.feeAmount - withdrawn(row, related),
    amount_captured: row.amountCaptured,
    amount_refunded: row.amountRefunded,
    amount_disputed: row.amountDisputed,
    amount_credited: related.credit?.amount ?? 0,
    amount_credit_spent: related.credit?.amountSpent ?? 0,
    // The receiver of a transfer does not see the sender's customers.
    customer_id: isOwn(row.accountId) ? related.customerId : null,
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

/** The data of a transaction's events: ids, amounts and codes, no personal data. */
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
    amount_disputed: row.amountDisputed,
    payment_id: row.paymentId,
    parent_transaction_id: row.parentTransactionId,
    destination_account_id: row.destinationAccountId,
    failure_code: row.failure?.code ?? null,
    livemode: row.livemode,
  };
}
