// Creating a payment: money that was received outside the pay page, posted at once.
import { may } from "@/server/access/may";
import { accountFor } from "@/server/domains/accounts/authorized-account";
import { offlinePayment } from "@/server/domains/ledger/rules";
import { paymentRequests } from "../payment-requests";
import type { TransactionRow } from "../present";
import { announceSuccess, type CreateCall, insertFor, postedAt, postFor } from "./call";

type Call = CreateCall<"payment">;

/** What only a card has. */
const noCard = { brand: null, last4: null, exp_month: null, exp_year: null };

/** Records the payment and updates the payment request that it counts towards, if any. */
export async function createPayment(call: Call): Promise<TransactionRow> {
  const { ctx, input } = call;
  const { amount, currency } = input;
  const target = input.payment_id == null ? null : await visibleRequest(call, input.payment_id);
  const account = await accountFor(ctx, input.account_id ?? target?.defaultAccountId, refusalsFor(call));
  const paymentId = target ? await payableRequest(call, target.id, account.id) : null;
  const columns = {
    type: "payment",
    direction: "in",
    paymentId,
    amountAuthorized: amount,
    amountCaptured: amount,
    paymentMethod: call.receipt ? { ...noCard, type: call.receipt.method } : null,
    reason: call.receipt?.reason ?? null,
    ...postedAt(ctx.now),
  } as const;
  const row = await insertFor(call, account, columns, { amount, currency });
  await postFor(call, row, [offlinePayment({ accountId: account.id, amount, currency })]);
  announceSuccess(call, row);
  if (paymentId !== null) await paymentRequests().refresh(ctx, paymentId);
  return row;
}

/** The payment request and its account, which is the default for callers that may leave the account out. */
async function visibleRequest({ ctx, fail }: Call, id: string) {
  const accountId = await paymentRequests().accountOf(ctx.db, ctx.scope.organizationId, id);
  if (accountId === undefined) return fail("payment_not_found");
  return { id, defaultAccountId: may("accounts.byDefault", ctx.actor) ? accountId : undefined };
}

/** Hides that an account exists: for a caller who does not see its account, a payment request is not found. */
function refusalsFor({ input, fail }: Call): Parameters<typeof accountFor>[2] {
  return (code, description) => {
    const isByRequest = input.account_id == null && input.payment_id != null;
    return isByRequest && code === "account_not_found" ? fail("payment_not_found") : fail(code, description);
  };
}

/** Locks the payment request and returns its id. Fails if it does not accept this payment. */
async function payableRequest({ ctx, input, fail }: Call, id: string, accountId: string): Promise<string> {
  const { lock, refusalOf } = paymentRequests();
  await lock(ctx.db, id);
  const { organizationId } = ctx.scope;
  const refusal = await refusalOf(ctx, id, {
    organizationId,
    accountId,
    amount: input.amount,
    currency: input.currency,
  });
  return refusal === null ? id : fail(refusal);
}
