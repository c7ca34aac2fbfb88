// Creating a payment, posted at once: of money that was received outside the pay page, or of the customer's credit.
import type { PaymentMethod } from "@/db/schema/values";
import { may } from "@/server/access/may";
import { accountFor } from "@/server/domains/accounts/authorized-account";
import { makeCredit, spendCredit } from "@/server/domains/customers/credit";
import { creditApplied, type Journal, offlinePayment } from "@/server/domains/ledger/rules";
import { paymentRequests } from "../payment-requests";
import type { TransactionRow } from "../present";
import { touchTransactions } from "../record-store";
import { arrivalAt } from "../store";
import { addressedFor } from "./addressed-for";
import { announceSuccess, type CreateCall, insertFor, postedAt, postFor } from "./call";

type Call = CreateCall<"payment">;

/** What only a card has. */
const noCard = { brand: null, last4: null, exp_month: null, exp_year: null };

/** Records the payment and updates the payment request that it counts towards, if any. */
export async function createPayment(call: Call): Promise<TransactionRow> {
  const { ctx, input, fail } = call;
  const { amount, currency } = input;
  const target = input.payment_id == null ? null : await visibleRequest(call, input.payment_id);
  const account = await accountFor(ctx, input.account_id ?? target?.defaultAccountId, refusalsFor(call));
  if (target && target.accountId !== account.id) return fail("payment_not_found");
  const addressed = await addressedFor(call, account, target?.id ?? null);
  const paymentId = target ? await payableRequest(call, target.id, account.id) : null;
  const columns = {
    type: "payment",
    direction: "in",
    paymentId,
    ...addressed,
    amountAuthorized: amount,
    amountCaptured: amount,
    usesCredit: call.credit !== undefined,
    paymentMethod: methodOf(call),
    reason: input.reason ?? null,
    ...postedAt(await arrivalAt(ctx.db, paymentId, ctx.now)),
  } as const;
  const row = await insertFor(call, account, columns, { amount, currency });
  await postFor(call, row, [await moveCredit(call, row)]);
  announceSuccess(call, row);
  if (paymentId !== null) await paymentRequests().refresh(ctx, paymentId, row.id);
  return row;
}

/** Spends the credit that the payment is made of, or makes credit of its surplus. Returns the journal of the payment. */
async function moveCredit({ ctx, credit, surplus }: Call, row: TransactionRow): Promise<Journal> {
  const { id, organizationId, accountId, amount, currency, livemode } = row;
  if (credit) {
    await touchTransactions(ctx.db, await spendCredit(ctx.db, id, credit.held, amount));
    return creditApplied({ accountId, amount, currency, customerId: credit.customerId });
  }
  if (surplus) await makeCredit(ctx, { id, organizationId, accountId, currency, livemode, ...surplus });
  return offlinePayment({ accountId, amount, currency, credit: surplus ?? null });
}

function methodOf({ credit, input }: Call): PaymentMethod | null {
  const type = credit ? "customer_credit" : input.method;
  return type == null ? null : { ...noCard, type };
}

/** The payment request and its account, which is the default for callers that may leave the account out. */
async function visibleRequest({ ctx, fail }: Call, id: string) {
  const accountId = await paymentRequests().accountOf(ctx.db, ctx.scope.organizationId, id);
  if (accountId === undefined) return fail("payment_not_found");
  return { id, accountId, defaultAccountId: may("accounts.byDefault", ctx.actor) ? accountId : undefined };
}

/** Hides that an account exists: for a caller who does not see its account, a payment request is not found. */
function refusalsFor({ input, fail }: Call): Parameters<typeof accountFor>[2] {
  return (code, description) => {
    const isByRequest = input.account_id == null && input.payment_id != null;
    return isByRequest && code === "account_not_found" ? fail("payment_not_found") : fail(code, description);
  };
}

/** Locks the payment request and returns its id. Fails if it does not accept this payment. */
async function payableRequest(
  { ctx, input, fail, surplus, organization }: Call,
  id: string,
  accountId: string,
): Promise<string> {
  const { lock, refusalOf } = paymentRequests();
  await lock(ctx.db, id);
  const { organizationId } = ctx.scope;
  const refusal = await refusalOf(ctx, id, {
    organizationId,
    accountId,
    amount: input.amount - (surplus?.amount ?? 0),
    currency: input.currency,
    livemode: organization.isLive,
  });
  return refusal === null ? id : fail(refusal);
}
