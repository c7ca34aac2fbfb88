// Creating a refund: reserves its money under the payment's row lock. A refund of an offline payment succeeds at once.
import { may } from "@/server/access/may";
import { lockedAccount } from "@/server/domains/accounts/authorized-account";
import { giveBack, keepHolderOf, sourcesOf, takeBack } from "@/server/domains/customers/credit";
import { type CreditRow, lockCredits } from "@/server/domains/customers/credit-store";
import { keepSurvivor } from "@/server/domains/customers/survivor-store";
import { schedule } from "@/server/domains/jobs/queue";
import { creditGivenBack, type Journal, refundCreated, refundSucceeded } from "@/server/domains/ledger/rules";
import { countMove } from "@/server/domains/sessions/step-up";
import { limits } from "@/server/kit/limits";
import { lockRows } from "../erasure-store";
import { paymentRequests } from "../payment-requests";
import type { TransactionRow } from "../present";
import { reserveRefund, touchTransactions, updateRow } from "../record-store";
import { capturedStatus, refundable } from "../rules";
import { mailRefund } from "../settle";
import { findTransaction, lockTransactions, readTransaction } from "../store";
import { addressedFor } from "./addressed-for";
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
  if (seen.usesCredit && !(await keepHolderOf(ctx.db, seen.id))) return fail("customer_required", holderIsErased);
  const addressed = input.customer ? await addressedFor(call, account, seen.paymentId) : null;
  const customerId = addressed?.customerId ?? (await customerOf(call, seen));
  await lockTransactions(ctx.db, seen.paymentId, [seen.id]);
  const parent = (await readTransaction(ctx.db, seen.id)) ?? fail("transaction_not_found");
  const { currency, provider } = parent;
  if (parent.disputeStatus === "open") return fail("payment_disputed");
  if (input.currency && input.currency !== currency) return fail("currency_mismatch");
  // What they show as spent changes.
  if (parent.usesCredit) await lockRows(ctx.db, await sourcesOf(ctx.db, parent.id));
  const [credit] = await lockCredits(ctx.db, [parent.id]);
  const amount = amountOf(call, parent, credit);
  const amountSurplus = await surplusOf(call, parent, amount - Math.min(amount, credit?.amountLeft ?? 0));
  if (call.onlySurplus && amountSurplus < amount) {
    return fail("refund_exceeds_captured", "The surplus has been refunded already, or is being refunded.");
  }
  const reserved =
    (await reserveRefund(ctx.db, parent.id, amount, credit?.amountSpent ?? 0)) ?? fail("refund_exceeds_captured");
  // Credit that is given back stays with the organization.
  if (!parent.usesCredit) await countMove(ctx, { amount, currency });
  const columns = {
    type: "refund",
    status: "pending",
    direction: "out",
    parentTransactionId: parent.id,
    paymentId: parent.paymentId,
    amountSurplus,
    usesCredit: parent.usesCredit,
    paymentMethod: parent.paymentMethod,
    provider,
    reason: input.reason ?? null,
    // Customer and description are the payment's unless the input says otherwise; metadata and reference are its own.
    description: input.description ?? parent.description,
    ...{ customerId, customer: addressed ? addressed.customer : parent.customer },
  } as const;
  const row = await insertFor(call, account, columns, { amount, currency });
  await postFor(call, row, await journalsOf(call, row, credit));
  if (provider === null) return succeedAtOnce(call, row, reserved);
  const { id: objectId, organizationId } = row;
  const afterMs = limits.charge.firstLookupMs;
  await schedule(ctx, { kind: "payments.lookup", organizationId, objectId, afterMs });
  return row;
}

/** The customer of a payment without a payment request, which cannot be merged while its refund is written. */
const customerOf = async ({ ctx }: Call, { customerId }: TransactionRow): Promise<string | null> =>
  customerId === null ? null : keepSurvivor(ctx.db, customerId);

/** How much of the refund's part that takes back no credit returns surplus, in minor units. */
const surplusOf = async ({ ctx }: Call, { paymentId }: TransactionRow, amount: number): Promise<number> =>
  paymentId === null || amount === 0 ? 0 : paymentRequests().surplusWithin(ctx.db, paymentId, amount);

/**
 * Moves the customer's credit, and returns the refund's journals: credit that was spent is given back, and a refund of
 * the payment that the credit was made of first takes back what is left of it.
 */
async function journalsOf({ ctx }: Call, row: TransactionRow, source: CreditRow | undefined): Promise<Journal[]> {
  const { id: refundId, accountId, amount, currency, provider } = row;
  if (row.usesCredit) {
    const { sources, ...given } = await giveBack(ctx.db, {
      refundId,
      paymentId: row.parentTransactionId ?? "",
      amount,
    });
    await touchTransactions(ctx.db, sources);
    return [creditGivenBack({ accountId, currency, ...given })];
  }
  const credit = await takeBack(ctx.db, refundId, source, amount);
  const movement = { accountId, amount, currency };
  const created = refundCreated({ ...movement, credit });
  return provider === null ? [created, refundSucceeded({ ...movement, provider })] : [created];
}

async function visibleParent({ ctx, input, fail }: Call): Promise<TransactionRow> {
  const parent = await findTransaction(ctx.db, ctx.scope, input.parent_transaction_id);
  if (!parent) return fail("transaction_not_found", "No transaction has the identifier in parent_transaction_id.");
  return parent.isOwn ? parent.row : fail("insufficient_permissions");
}

/** Minor units to refund: the given amount, or all that remains. */
function amountOf({ input, fail }: Call, parent: TransactionRow, credit: CreditRow | undefined): number {
  if (parent.type !== "payment") return fail("refund_exceeds_captured", "Only a payment can be refunded.");
  const spent = credit?.amountSpent ?? 0;
  const remaining = refundable(parent, spent);
  const amount = input.amount ?? remaining;
  if (remaining > 0 && amount <= remaining) return amount;
  const hasCaused = spent > 0 && amount <= remaining + spent;
  return fail("refund_exceeds_captured", hasCaused ? creditIsSpent : undefined);
}

const holderIsErased = "The customer was erased, so no credit can be given back.";

const creditIsSpent =
  "Credit was made of this payment, and some of it has been spent: refund the payments that were made of it first.";

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
  if (!after.usesCredit) await mailRefund(ctx, after);
  return after;
}
