// Creating a credit: goodwill from the organization to the account, posted at once.
import { accountFor } from "@/server/domains/accounts/authorized-account";
import { goodwillCredit } from "@/server/domains/ledger/rules";
import { countMove } from "@/server/domains/sessions/step-up";
import type { TransactionRow } from "../present";
import { addressedFor } from "./addressed-for";
import { announceSuccess, type CreateCall, insertFor, postedAt, postFor } from "./call";

export async function createCredit(call: CreateCall<"credit">): Promise<TransactionRow> {
  const { ctx, input, fail } = call;
  const { amount, currency } = input;
  const account = await accountFor(ctx, input.account_id ?? undefined, fail);
  const addressed = await addressedFor(call, account, null);
  const columns = { type: "credit", direction: "in", ...addressed, ...postedAt(ctx.now) } as const;
  await countMove(ctx, { amount, currency });
  const row = await insertFor(call, account, columns, { amount, currency });
  await postFor(call, row, [goodwillCredit({ accountId: account.id, amount, currency })]);
  announceSuccess(call, row);
  return row;
}
