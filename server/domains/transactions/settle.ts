// The one place where the state of a provider's payment or refund changes, whatever the source of the news.

import type { Reader } from "@/db/client";
import { schedule, unschedule } from "@/server/domains/jobs/queue";
import { postFacts } from "@/server/domains/ledger/post";
import type { ChargeResult, ProviderResult, RefundResult } from "@/server/domains/providers/provider";
import type { WriteContext } from "@/server/kit/context";
import { paymentRequests } from "./payment-requests";
import type { TransactionRow } from "./present";
import { applyCharge, applyRefund, type Change, lookupAfterEndAt, nextLookupAt } from "./provider-rules";
import { announce } from "./record";
import { next, statusEvent } from "./rules";
import { isReferenceTaken, lockTransactions, readTransaction, updateRow, wasClosed } from "./store";

/**
 * Makes a provider's result true: the transaction's row, its journals, its events, and the state of its payment request,
 * in the caller's transaction. Idempotent on provider, reference and type, and independent of the order of results: the
 * return page, the provider's events and whoever asks it again may all call it. Resolves to the transaction as it then
 * stands. Throws for an id that no transaction has, and for a result that contradicts the transaction.
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
  throw new Error(`${transactionId} is a ${row.type}, and the provider's result is of a ${result.kind}.`);
}

async function settleCharge(ctx: WriteContext, row: TransactionRow, result: ChargeResult): Promise<TransactionRow> {
  const isDuplicate = await isSecondOfOne(ctx.db, row, result);
  const change = isDuplicate ? closedAsDuplicate(row, ctx.now) : applyCharge(row, result, ctx.now);
  const after = change ? await makeTrue(ctx, row, change) : row;
  // What is still open of a duplicate's charge is the other transaction's.
  const againAt = isDuplicate ? null : lookupAfterEndAt(after, result.status, change !== null, ctx.now);
  if (againAt !== null) await scheduleLookup(ctx, after, againAt);
  if (change && after.paymentId !== null) await paymentRequests().refresh(ctx, after.paymentId);
  return after;
}

async function settleRefund(ctx: WriteContext, row: TransactionRow, result: RefundResult): Promise<TransactionRow> {
  const parent = await rowOf(ctx, row.parentTransactionId ?? "");
  const change = applyRefund(row, parent, result, ctx.now);
  if (!change) return row;
  if (Object.keys(change.parentPatch).length > 0) {
    assertMayFollow(parent, change.parentPatch.status);
    await updateRow(ctx.db, parent, change.parentPatch, ctx.now);
  }
  const after = await makeTrue(ctx, row, change);
  if (parent.paymentId !== null) await paymentRequests().refresh(ctx, parent.paymentId);
  return after;
}

/** Writes the change, posts its journals and announces the new status. */
async function makeTrue(ctx: WriteContext, before: TransactionRow, change: Change): Promise<TransactionRow> {
  assertMayFollow(before, change.patch.status);
  const after = await updateRow(ctx.db, before, change.patch, ctx.now);
  const { id: transactionId, organizationId, livemode } = after;
  await postFacts(ctx, { organizationId, livemode, transactionId, journals: change.journals });
  await wantLookup(ctx, after);
  // The closing itself releases what was held.
  const isNews = change.journals.some(({ event }) => event !== "authorization_released");
  const isLate = isNews && (await wasClosed(ctx.db, after.accountId, ctx.now));
  if (isLate) flagLate(ctx, after);
  const event = after.status === before.status ? null : statusEvent(after.type, after.status);
  if (event) announce(ctx, after, event, { late: isLate });
  return after;
}

/** Money that moved on an account after it was closed is posted as any other, and stands out in the audit trail. */
function flagLate(ctx: WriteContext, { id: target, organizationId, accountId, status }: TransactionRow): void {
  ctx.audit({ target, organizationId, detail: { late: true, account_closed: accountId, status } });
}

/** Whatever is still open is looked up when its time comes, whether or not anyone calls. */
async function wantLookup(ctx: WriteContext, row: TransactionRow): Promise<void> {
  const runAt = nextLookupAt(row, ctx.now);
  if (runAt === null) return unschedule(ctx, "payments.lookup", row.id);
  await scheduleLookup(ctx, row, runAt);
}

const scheduleLookup = (ctx: WriteContext, row: TransactionRow, runAt: number): Promise<void> =>
  schedule(ctx, { kind: "payments.lookup", organizationId: row.organizationId, objectId: row.id, runAt });

/** The provider made one charge and two of our transactions were told of it: only the first stands for it. */
export const isSecondOfOne = async (q: Reader, row: TransactionRow, { reference }: ChargeResult): Promise<boolean> =>
  row.providerReference === null && reference !== null && isReferenceTaken(q, row, reference);

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
