// Creating an adjustment: an admin's correction of an account's balance, posted at once.
import { lockedAccount } from "@/server/domains/accounts/authorized-account";
import { adjustment } from "@/server/domains/ledger/rules";
import { countMove } from "@/server/domains/sessions/step-up";
import type { TransactionRow } from "../present";
import { addressedFor } from "./addressed-for";
import { type CreateCall, checkReceiver, insertFor, maySpendFrom, postedAt, postFor } from "./call";

export async function createAdjustment(call: CreateCall<"adjustment">): Promise<TransactionRow> {
  const { ctx, input, fail } = call;
  const { amount, currency, direction, reason } = input;
  const account = await lockedAccount(ctx, input.account_id ?? undefined, fail);
  if (direction === "out" && !maySpendFrom(account, ctx)) return fail("account_closed");
  const receipt = { account, field: "account_id", currency } as const;
  if (direction === "in") await checkReceiver(call, { ...receipt, amount });
  const addressed = await addressedFor(call, account, null);
  const columns = { type: "adjustment", direction, reason, ...addressed, ...postedAt(ctx.now) } as const;
  await countMove(ctx, { amount, currency });
  const row = await insertFor(call, account, columns, { amount, currency });
  await postFor(call, row, [adjustment({ accountId: account.id, amount, currency, direction })]);
  if (direction === "in") await checkReceiver(call, { ...receipt, amount: 0 });
  return row;
}
