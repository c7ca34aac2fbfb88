// Pure rules of transactions: states and transitions, event names, and what can still be refunded or captured.
import type { transactionStatuses, transactionTypes } from "@/db/schema/values";
import type { TransactionRow } from "./present";

type TransactionType = (typeof transactionTypes)[number];
export type TransactionStatus = (typeof transactionStatuses)[number];

type Transitions = Readonly<Partial<Record<TransactionStatus, readonly TransactionStatus[]>>>;

const postedAtOnce: Transitions = { succeeded: ["reversed"] };

/**
 * The statuses that may follow each status, by type. Money that a provider took after all (it answered late, or its
 * capture raced with a void) is never dropped, so `succeeded` may also follow a final status.
 */
export const next: Readonly<Record<TransactionType, Transitions>> = {
  payment: {
    pending: ["requires_action", "processing", "authorized", "succeeded", "failed", "canceled", "expired"],
    requires_action: ["processing", "authorized", "succeeded", "failed", "canceled", "expired"],
    processing: ["requires_action", "authorized", "succeeded", "failed", "canceled", "expired"],
    authorized: ["succeeded", "failed", "canceled", "expired"],
    succeeded: ["partially_refunded", "refunded", "disputed"],
    partially_refunded: ["succeeded", "refunded", "disputed"],
    refunded: ["partially_refunded", "succeeded", "disputed"],
    disputed: ["succeeded", "partially_refunded", "refunded", "charged_back"],
    failed: ["canceled", "expired", "succeeded"],
    canceled: ["succeeded"],
    expired: ["succeeded"],
  },
  refund: { pending: ["succeeded", "failed", "canceled"], succeeded: ["failed"] },
  credit: postedAtOnce,
  transfer: postedAtOnce,
  adjustment: { pending: ["succeeded", "canceled"], ...postedAtOnce },
};

/** The event of a new transaction. */
export const createdEvent = {
  payment: "transaction.created",
  credit: "transaction.created",
  refund: "refund.created",
  transfer: "transfer.created",
  adjustment: "adjustment.created",
} as const satisfies Record<TransactionType, string>;

/** The event of a new status; null for steps in between, which the payment request's own events cover. */
export function statusEvent(type: TransactionType, status: TransactionStatus): string | null {
  if (type === "transfer" || type === "adjustment") return null;
  // The event's data carry the status `expired`.
  if (status === "expired") return "transaction.canceled";
  const hasEvent = status === "succeeded" || status === "failed" || status === "canceled";
  return hasEvent ? `${type === "refund" ? "refund" : "transaction"}.${status}` : null;
}

/**
 * Minor units of a payment that can still be refunded. `creditSpent` is what was spent of the credit that was made of its
 * surplus.
 */
export const refundable = (
  row: Pick<TransactionRow, "amountCaptured" | "amountRefunded" | "amountRefunding" | "amountDisputed">,
  creditSpent: number,
): number => row.amountCaptured - row.amountRefunded - row.amountRefunding - row.amountDisputed - creditSpent;

/** What an authorization still holds, in minor units. */
export const openHold = (row: Pick<TransactionRow, "amountAuthorized" | "amountCaptured" | "amountReleased">): number =>
  row.amountAuthorized - row.amountCaptured - row.amountReleased;

/** The status of a captured payment, from its amounts. */
export function capturedStatus(
  row: Pick<TransactionRow, "amountCaptured" | "amountRefunded" | "disputeStatus">,
): TransactionStatus {
  if (row.disputeStatus === "open") return "disputed";
  if (row.disputeStatus === "lost") return "charged_back";
  if (row.amountRefunded === 0) return "succeeded";
  return row.amountRefunded === row.amountCaptured ? "refunded" : "partially_refunded";
}
