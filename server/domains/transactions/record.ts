// Writes a new transaction: its row, its search words and tags, and its event.
import type { WriteContext } from "@/server/kit/context";
import { foldEmail } from "@/server/kit/fields";
import { last4Of } from "./card-words";
import { eventData, type TransactionRow } from "./present";
import { insertRow, insertTags, type TagRow } from "./record-store";
import { createdEvent } from "./rules";
import { writeWords } from "./search-words";

type Derived =
  | "customerEmailKey"
  | "customerReference"
  | "cardLast4"
  | "startBefore"
  | "createdAt"
  | "updatedAt"
  | "changedAt";
type Required =
  | "id"
  | "organizationId"
  | "accountId"
  | "type"
  | "status"
  | "direction"
  | "amount"
  | "currency"
  | "livemode";

/** A transaction to write: the required columns, and any others. */
export type NewTransactionRow = Pick<TransactionRow, Required> &
  Partial<Omit<TransactionRow, Required | Derived>> & {
    /** For a charge: how long from now it may start at its provider, in milliseconds. */
    startWithinMs?: number;
  };

const blank = {
  feeAmount: 0,
  amountAuthorized: 0,
  amountCaptured: 0,
  amountReleased: 0,
  amountRefunded: 0,
  amountRefunding: 0,
  amountDisputed: 0,
  disputeStatus: "none",
  disputeReference: null,
  unexpectedDispute: null,
  unexpectedDisputeAt: null,
  amountSurplus: 0,
  usesCredit: false,
  paymentId: null,
  parentTransactionId: null,
  destinationAccountId: null,
  paymentMethod: null,
  provider: null,
  providerReference: null,
  failure: null,
  reason: null,
  reference: null,
  description: null,
  customerId: null,
  customer: null,
  metadata: {},
  captureBefore: null,
  storedMethod: null,
  cardBefore: null,
  attemptKey: null,
  captureRequested: null,
  actionUrl: null,
  settledAt: null,
  lateAt: null,
} satisfies Partial<TransactionRow>;

/**
 * Inserts the transaction and emits its event. Null, with nothing written, if the account has used the reference before
 * or the attempt already exists. The caller posts its money.
 */
export async function insertTransaction(
  ctx: Pick<WriteContext, "db" | "now" | "emit">,
  { startWithinMs, ...given }: NewTransactionRow,
): Promise<TransactionRow | null> {
  const row = await insertRow(ctx.db, rowOf(ctx, given), startWithinMs ?? null);
  if (row === null) return null;
  await insertTags(ctx.db, row, tagsOf(row));
  await writeWords(ctx.db, row);
  announce(ctx, row, createdEvent[row.type], { first: true });
  return row;
}

const rowOf = (ctx: Pick<WriteContext, "now">, given: Omit<NewTransactionRow, "startWithinMs">) => ({
  ...blank,
  effectiveAt: ctx.now,
  ...given,
  customerEmailKey: given.customer?.email ? foldEmail(given.customer.email) : null,
  customerReference: given.customer?.reference ?? null,
  cardLast4: last4Of(given.paymentMethod),
  createdAt: ctx.now,
  updatedAt: ctx.now,
});

/** Emits an event with the transaction's current state. `late` marks money on an account that was already closed. */
export function announce(
  ctx: Pick<WriteContext, "emit">,
  row: TransactionRow,
  type: string,
  { first = false, late = false } = {},
): void {
  const { id, accountId, organizationId } = row;
  const data = late ? { ...eventData(row), late } : eventData(row);
  ctx.emit({ type, object: id, accountId, organizationId, data, first });
}

function tagsOf(row: TransactionRow): Pick<TagRow, "scope" | "key" | "value">[] {
  const tags = (scope: TagRow["scope"], metadata: Record<string, string>) =>
    Object.entries(metadata).map(([key, value]) => ({ scope, key, value }));
  return [...tags("metadata", row.metadata), ...tags("customer", row.customer?.metadata ?? {})];
}
