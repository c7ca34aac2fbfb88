// Detaches the accounts of a removed user: they stay in the organization without an owner.
import type { WriteContext } from "@/server/kit/context";
import { clearOwner, findOwnedIds, lockOwned } from "./store";

/** Locks the user's accounts. Call it before locking the user: closing an account locks in the same order. */
export const lockAccountsOf = (ctx: WriteContext, userId: string): Promise<void> =>
  lockOwned(ctx.db, ctx.scope.organizationId, userId);

/**
 * Clears the owner of the user's accounts and returns their ids. The caller has locked the user, so that no account can
 * be added meanwhile.
 */
export async function orphanAccountsOf(ctx: WriteContext, userId: string): Promise<string[]> {
  const { organizationId } = ctx.scope;
  const ids = await findOwnedIds(ctx.db, organizationId, userId);
  await clearOwner(ctx.db, organizationId, userId, ctx.now);
  for (const id of ids) {
    const data = { account_id: id, fields: ["owner_user_id"] };
    ctx.emit({ type: "account.updated", object: id, accountId: id, data });
  }
  return ids;
}
