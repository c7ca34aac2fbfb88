// Creating a transfer: money moves to another account of the organization at once. Its one row belongs to the source.
import { isBlank } from "@/db/schema/values";
import { accountIdFor, lockedAccount, organizationAccount } from "@/server/domains/accounts/authorized-account";
import { snapshotOf } from "@/server/domains/customers/addressed";
import { transfer } from "@/server/domains/ledger/rules";
import { countMove } from "@/server/domains/sessions/step-up";
import type { TransactionRow } from "../present";
import { addressedFor } from "./addressed-for";
import { type CreateCall, checkReceiver, insertFor, maySpendFrom, postedAt, postFor } from "./call";

export async function createTransfer(call: CreateCall<"transfer">): Promise<TransactionRow> {
  const { ctx, input, fail } = call;
  const { amount, currency, destination_account_id: destinationId } = input;
  const sourceId = await accountIdFor(ctx, input.account_id ?? undefined, fail);
  // Locks both in id order: see db/lock.ts.
  const early = destinationId < sourceId ? await organizationAccount(ctx, destinationId) : undefined;
  const source = await lockedAccount(ctx, sourceId, fail);
  // The caller may send money to an account that it does not see. Everywhere else such an id is refused as unknown.
  const destination = early ?? (await organizationAccount(ctx, destinationId));
  if (!destination) return fail("account_not_found", "destination_account_id: no account has this identifier");
  if (!maySpendFrom(source, ctx)) return fail("account_closed");
  const receipt = { account: destination, field: "destination_account_id", currency } as const;
  await checkReceiver(call, { ...receipt, amount });
  if (source.id === destination.id) return fail("same_account_transfer");
  const { customerId } = await addressedFor(call, source, null);
  const written = snapshotOf(input.customer ?? {});
  const columns = {
    type: "transfer",
    direction: "out",
    destinationAccountId: destination.id,
    customerId,
    // The receiver reads it, too: it says only what the caller wrote.
    customer: isBlank(written) ? null : written,
    ...postedAt(ctx.now),
  } as const;
  await countMove(ctx, { amount, currency });
  const row = await insertFor(call, source, columns, { amount, currency });
  await postFor(call, row, [transfer({ from: source.id, to: destination.id, amount, currency })]);
  await checkReceiver(call, { ...receipt, amount: 0 });
  return row;
}
