// What a transaction locks before the subscription whose next period it begins.
import { type AccountRow, lockAccount } from "@/server/domains/accounts/store";
import { keepCustomers, readCustomer } from "@/server/domains/customers/store";
import type { WriteContext } from "@/server/kit/context";
import type { SubscriptionRow } from "./store";

interface Kept {
  account: AccountRow | undefined;
  /** Whether the customer was erased. */
  isErased: boolean;
}

/** Keeps the account and the customer of a subscription as they are until the transaction ends. */
export async function lockToBegin(ctx: WriteContext, row: SubscriptionRow): Promise<Kept> {
  const { organizationId, accountId, customerId } = row;
  const account = await lockAccount(ctx.db, { organizationId, ownerUserId: null, accountId: null }, accountId, "share");
  return { account, isErased: await keepCustomer(ctx, customerId) };
}

/** Keeps the customer until the transaction ends; resolves to whether it was erased. */
async function keepCustomer(ctx: WriteContext, customerId: string | null): Promise<boolean> {
  if (customerId === null) return false;
  if ((await readCustomer(ctx.db, customerId))?.erasedAt != null) return true;
  await keepCustomers(ctx.db, [customerId]);
  return false;
}
