// Creating a refund: reserves its money under the payment's row lock. A refund of an offline payment succeeds at once.
import { may } from "@/server/access/may";
import { lockedAccount } from "@/server/domains/accounts/authorized-account";
import { schedule } from "@/server/domains/jobs/queue";
import { refundCreated, refundSucceeded } from "@/server/domains/ledger/rules";
import { countMove } from "@/server/domains/sessions/step-up";
import { limits } from "@/server/kit/limits";
import { paymentRequests } from "../payment-requests";
import type { TransactionRow } from "../present";
import { reserveRefund, updateRow } from "../record-store";
import { capturedStatus, refundable } from "../rules";
import { mailRefund } from "../settle";
import { findTransaction, lockTransactions, readTransaction } from "../store";
import { announceSuccess, type CreateCall, insertFor, maySpendFrom, postFor } from "./call";

type Call = CreateCall<"refund">;

/** Creates the refund: succeeded for an offline payment, else pending until the payment's provider has answered. */
export async function createRefund(call: Call): Promise<TransactionRow> {
  const { ctx, input, fail } = call;
  const seen = await visibleParent(call);
  const defaultAccountId = may("accounts.byDefault", ctx.actor) ? seen.accountId : undefined;
  const account = await lockedAccount(ctx, input.account_id ?? defaultAccountId, fail);
  if (!maySpendFrom(account, ctx)) return fail("account_closed");
  if (account.id !== seen.accountId) return fail("transaction_not_found");
  await lockTransactions(ctx.db, seen.paymentId, [seen.id]);
  const parent = (await readTransaction(ctx.db, seen.id)) ?? fail("transaction_not_found");
  const { currency, provider } = parent;
  if (input.currency && input.currency !== currency) return fail("currency_mismatch");
  const amount = amountOf(call, parent);
  const amountSurplus =
    parent.paymentId === null ? 0 : await paymentRequests().surplusWithin(ctx.db, parent.paymentId, amount);
  if (call.onlySurplus && amountSurplus < amount) {
    return fail("refund_exceeds_captured", "The surplus has been refunded already, or is being refunded.");
  }
  const reserved = (await reserveRefund(ctx.db, parent.id, amount)) ?? fail("refund_exceeds_captured");
  await countMove(ctx, { amount, currency });
  const columns = {
    type: "refund",
    status: "pending",
    direction: "out",
    parentTransactionId: parent.id,
    paymentId: parent.paymentId,
    amountSurplus,
    paymentMethod: parent.paymentMethod,
    provider,
    reason: input.reason ?? null,
    // The customer is the payment's unless the input names one; metadata and reference are the refund's own.
    ...(input.customer ? {} : { customer: parent.customer }),
  } as const;
  const row = await insertFor(call, account, columns, { amount, currency });
  const movement = { accountId: account.id, amount, currency };
  if (provider !== null) {
    await postFor(call, row, [refundCreated(movement)]);
    const { id: objectId, organizationId } = row;
    await schedule(ctx, {
      kind: "payments.lookup",
      organizationId,
      objectId,
      runAt: ctx.now + limits.charge.firstLookupMs,
    });
    return row;
  }
  await postFor(call, row, [refundCreated(movement), refundSucceeded({ ...movement, provider })]);
  return succeedAtOnce(call, row, reserved);
}

async function visibleParent({ ctx, input, fail }: Call): Promise<TransactionRow> {
  const parent = await findTransaction(ctx.db, ctx.scope, input.parent_transaction_id);
  if (!parent) return fail("transaction_not_found", "No transaction has the identifier in parent_transaction_id.");
  return parent.isOwn ? parent.row : fail("insufficient_permissions");
}

/** Minor units to refund: the given amount, or all that remains. */
function amountOf({ input, fail }: Call, parent: TransactionRow): number {
  if (parent.type !== "payment") return fail("refund_exceeds_captured", "Only a payment can be refunded.");
  const remaining = refundable(parent);
  const amount = input.amount ?? remaining;
  return remaining === 0 || amount > remaining ? fail("refund_exceeds_captured") : amount;
}

/** Completes the refund without a provider: the organization gave the money back itself. */
async function succeedAtOnce(call: Call, row: TransactionRow, parent: TransactionRow): Promise<TransactionRow> {
  const { ctx } = call;
  const amountRefunded = parent.amountRefunded + row.amount;
  const parentPatch = {
    amountRefunded,
    amountRefunding: parent.amountRefunding - row.amount,
    status: capturedStatus({ ...parent, amountRefunded }),
  };
  await updateRow(ctx.db, parent, parentPatch, ctx.now);
  const after = await updateRow(ctx.db, row, { status: "succeeded", settledAt: ctx.now }, ctx.now);
  announceSuccess(call, after);
  if (parent.paymentId !== null) await paymentRequests().refresh(ctx, parent.paymentId);
  await mailRefund(ctx, after);
  return after;
}
