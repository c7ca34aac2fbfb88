// The payment request that a write is about, locked after its account: the order in which all writes lock.
import type { Authorized } from "@/server/access/authorized";
import { type AccountRow, accountFor, lockedAccount } from "@/server/domains/accounts/authorized-account";
import type { WriteContext } from "@/server/kit/context";
import type { Fail } from "@/server/kit/operation";
import { findPayment, lockPayment, type PaymentRow } from "./store";

interface Locked {
  account: Authorized<AccountRow>;
  locked: PaymentRow;
}

type Missing = "payment_not_found" | "account_not_found" | "invalid_request";

/** The payment request that the caller names, and its account. Refuses a closed account. */
export const lockOfOpenAccount = (
  ctx: WriteContext,
  paymentId: string,
  fail: Fail<Missing | "account_closed">,
): Promise<Locked> => lockWith(ctx, paymentId, fail, (accountId) => accountFor(ctx, accountId, fail));

/** Like `lockOfOpenAccount`, but the account may be closed. */
export const lockOfAnyAccount = (ctx: WriteContext, paymentId: string, fail: Fail<Missing>): Promise<Locked> =>
  lockWith(ctx, paymentId, fail, (accountId) => lockedAccount(ctx, accountId, fail));

async function lockWith(
  ctx: WriteContext,
  paymentId: string,
  fail: Fail<"payment_not_found">,
  lockAccount: (accountId: string) => Promise<Authorized<AccountRow>>,
): Promise<Locked> {
  const seen = (await findPayment(ctx.db, ctx.scope, paymentId)) ?? fail("payment_not_found");
  const account = await lockAccount(seen.accountId);
  return { account, locked: (await lockPayment(ctx.db, seen.id)) ?? fail("payment_not_found") };
}
