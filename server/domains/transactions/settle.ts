// The one place that applies a provider's result to a payment or refund, wherever the result comes from.
import type { Reader } from "@/db/client";
import type { UnexpectedDispute } from "@/db/schema/values";
import { takenBackBy, undoTakeBack } from "@/server/domains/customers/credit";
import { schedule, unschedule, type When } from "@/server/domains/jobs/queue";
import { postFacts } from "@/server/domains/ledger/post";
import type { ChargeDispute, ChargeResult, ProviderResult, RefundResult } from "@/server/domains/providers/provider";
import type { WriteContext } from "@/server/kit/context";
import { nextDisputeStep, unexpectedIn } from "./dispute-rules";
import { paymentRequests } from "./payment-requests";
import type { TransactionRow } from "./present";
import { applyCharge, type Change, lookupAfterEndAt, nextLookupAt } from "./provider-rules";
import { mailReceipt } from "./receipt-mails";
import { announce } from "./record";
import { updateRow } from "./record-store";
import { applyRefund } from "./refund-rules";
import { next, statusEvent } from "./rules";
import { writeWords } from "./search-words";
import { arrivalAt, isClosed, isReferenceTaken, lockTransactions, readTransaction } from "./store";

/**
 * Settles a provider's result: updates the transaction's row, its journals, its events and its payment request, in the
 * caller's database transaction. Idempotent per provider, reference and type, and independent of the order of results:
 * the return page, the provider's events and look-ups may all call it. Resolves to the updated transaction. Throws for
 * an unknown id, and for a result that contradicts the transaction.
 */
export async function settle(
  ctx: WriteContext,
  transactionId: string,
  result: ProviderResult,
): Promise<TransactionRow> {
  const known = await rowOf(ctx, transactionId);
  const ids = [known.id, ...(known.parentTransactionId === null ? [] : [known.parentTransactionId])];
  await lockTransactions(ctx.db, known.paymentId, ids);
  const row = await rowOf(ctx, transactionId);
  if (result.kind === "charge" && row.type === "payment") return settleCharge(ctx, row, result);
  if (result.kind === "refund" && row.type === "refund") return settleRefund(ctx, row, result);
  throw new Error(`${transactionId} is a ${row.type}, but the provider's result is for a ${result.kind}.`);
}

async function settleCharge(ctx: WriteContext, row: TransactionRow, result: ChargeResult): Promise<TransactionRow> {
  const isDuplicate = await isDuplicateCharge(ctx.db, row, result);
  const change = isDuplicate
    ? closedAsDuplicate(row, ctx.now)
    : applyCharge(row, result, await timesOf(ctx, row, result));
  const after = change ? await applyChange(ctx, row, change) : row;
  // A duplicate's charge belongs to the other transaction, whose look-ups follow it.
  const again = isDuplicate ? null : lookupAfterEndAt(after, result.status, change !== null, ctx.now);
  if (again !== null) await scheduleLookup(ctx, after, again);
  if (change && after.paymentId !== null) await paymentRequests().refresh(ctx, after.paymentId, after.id);
  return isDuplicate || !result.dispute ? after : settleDispute(ctx, after, result.dispute);
}

/** When the result is applied, and when its money counts as received. */
const timesOf = async ({ db, now }: WriteContext, row: TransactionRow, result: ChargeResult) => ({
  now,
  arrival: result.amountCaptured > row.amountCaptured ? await arrivalAt(db, row.paymentId, now) : now,
});

/** Takes each step of a dispute that has not been taken yet, or flags a report that cannot be booked. */
async function settleDispute(ctx: WriteContext, row: TransactionRow, dispute: ChargeDispute): Promise<TransactionRow> {
  const unexpected = unexpectedIn(row, dispute);
  if (unexpected) return flagUnexpected(ctx, row, unexpected);
  const step = nextDisputeStep(row, dispute);
  if (!step) return row;
  const after = await applyChange(ctx, row, step, step.event);
  if (after.paymentId !== null) await paymentRequests().refresh(ctx, after.paymentId);
  return settleDispute(ctx, after, dispute);
}

/** Keeps what the provider said of a dispute, for somebody to look into. The same report again changes nothing. */
async function flagUnexpected(
  ctx: WriteContext,
  row: TransactionRow,
  unexpected: UnexpectedDispute,
): Promise<TransactionRow> {
  const known = row.unexpectedDispute;
  const keys = ["reference", "status", "amount", "currency"] as const;
  if (known && keys.every((key) => known[key] === unexpected[key])) return row;
  const { id: target, organizationId } = row;
  ctx.audit({ target, organizationId, detail: { unexpected_dispute: { ...unexpected } } });
  const patch = { unexpectedDispute: unexpected, unexpectedDisputeAt: ctx.now };
  const after = await updateRow(ctx.db, row, patch, ctx.now);
  announce(ctx, after, "dispute.unexpected");
  return after;
}

async function settleRefund(ctx: WriteContext, row: TransactionRow, result: RefundResult): Promise<TransactionRow> {
  const parent = await rowOf(ctx, row.parentTransactionId ?? "");
  const credit = await takenBackBy(ctx.db, row.id);
  const change = applyRefund(row, parent, result, { now: ctx.now, credit });
  if (!change) return row;
  if (credit !== null && change.patch.status === "failed") await undoTakeBack(ctx.db, row.id);
  if (Object.keys(change.parentPatch).length > 0) {
    assertMayFollow(parent, change.parentPatch.status);
    await updateRow(ctx.db, parent, change.parentPatch, ctx.now);
  }
  const after = await applyChange(ctx, row, change);
  if (parent.paymentId !== null) await paymentRequests().refresh(ctx, parent.paymentId);
  if (after.status === "succeeded" && row.status !== "succeeded") await mailRefund(ctx, after);
  return after;
}

/** Mails the customer the receipt of a refund that has succeeded. */
export async function mailRefund(ctx: WriteContext, refund: TransactionRow): Promise<void> {
  const { paymentId } = refund;
  const wanted = paymentId === null ? null : await paymentRequests().receiptsOf(ctx.db, paymentId);
  if (wanted && !wanted.areMailed) return;
  const { locale, customerId } = wanted ?? { locale: null, customerId: refund.customerId };
  await mailReceipt(ctx, { ...refund, kind: "refund_receipt", locale, customerId });
}

/** Writes the change, posts its journals and announces it: by `ownEvent`, else by the event of the new status. */
async function applyChange(
  ctx: WriteContext,
  before: TransactionRow,
  change: Change,
  ownEvent: string | null = null,
): Promise<TransactionRow> {
  assertMayFollow(before, change.patch.status);
  const after = await updateRow(ctx.db, before, change.patch, ctx.now);
  // From now on it is found by its card.
  if (before.paymentMethod === null && after.paymentMethod !== null) await writeWords(ctx.db, after);
  const { id, organizationId, livemode } = after;
  const source = { kind: "transaction", id } as const;
  await postFacts(ctx, {
    organizationId,
    livemode,
    source,
    valueAt: change.valueAt ?? null,
    journals: change.journals,
  });
  await scheduleNextLookup(ctx, after);
  // Releasing a hold is never late: closing the account does that itself.
  const movesMoney = change.journals.some(({ event }) => event !== "authorization_released");
  const isLate = movesMoney && (await isClosed(ctx.db, after.accountId));
  if (isLate) flagLate(ctx, after);
  const event = ownEvent ?? (after.status === before.status ? null : statusEvent(after.type, after.status));
  if (event) announce(ctx, after, event, { late: isLate });
  return after;
}

/** Money that moves on a closed account is posted like any other, and flagged in the audit log. */
function flagLate(ctx: WriteContext, { id: target, organizationId, accountId, status }: TransactionRow): void {
  ctx.audit({ target, organizationId, detail: { late: true, account_closed: accountId, status } });
}

/**
 * Schedules the next look-up of an open transaction, so that it makes progress without further calls. Removes the job
 * of a transaction that needs none.
 */
async function scheduleNextLookup(ctx: WriteContext, row: TransactionRow): Promise<void> {
  const next = nextLookupAt(row, ctx.now);
  if (next === null) return unschedule(ctx, "payments.lookup", row.id);
  await scheduleLookup(ctx, row, next);
}

const scheduleLookup = (ctx: WriteContext, row: TransactionRow, when: When): Promise<void> =>
  schedule(ctx, { kind: "payments.lookup", organizationId: row.organizationId, objectId: row.id, ...when });

/** Whether another transaction already has this charge: the provider reported one charge for two of ours. */
export const isDuplicateCharge = async (
  q: Reader,
  row: TransactionRow,
  { reference }: ChargeResult,
): Promise<boolean> => row.providerReference === null && reference !== null && isReferenceTaken(q, row, reference);

function closedAsDuplicate(row: TransactionRow, now: number): Change | null {
  if (row.settledAt !== null) return null;
  const patch = { status: "canceled", settledAt: now, actionUrl: null } as const;
  return { patch, journals: [] };
}

function assertMayFollow(row: TransactionRow, status: TransactionRow["status"] | undefined): void {
  if (status === undefined || status === row.status || next[row.type][row.status]?.includes(status)) return;
  throw new Error(`A ${row.type} cannot go from ${row.status} to ${status}: ${row.id}.`);
}

async function rowOf(ctx: WriteContext, id: string): Promise<TransactionRow> {
  const row = await readTransaction(ctx.db, id);
  if (!row) throw new Error(`No transaction has the id ${id}.`);
  return row;
}
