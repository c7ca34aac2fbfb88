// What happens to the accounts of a user who is removed: they stay with the organization, without an owner.
import type { WriteContext } from "@/server/kit/context";
import { revokeKeysOf } from "./keys-store";
import { clearOwner, findOwnedIds, lockOwned } from "./store";

/** Holds the user's accounts. Comes before the user is held: closing an account takes the same order. */
export const holdAccountsOf = (ctx: WriteContext, userId: string): Promise<void> =>
  lockOwned(ctx.db, ctx.scope.organizationId, userId);

/**
 * Takes the user off the accounts that it owns and ends the API keys that it made for them; keys that it made for the
 * whole organization go on. The caller holds the user, so that no account can be added meanwhile.
 */
export async function orphanAccountsOf(ctx: WriteContext, userId: string): Promise<{ ids: string[]; keys: number }> {
  const { organizationId } = ctx.scope;
  const ids = await findOwnedIds(ctx.db, organizationId, userId);
  const own = { organizationId, accounts: { ownerUserId: userId }, createdBy: userId };
  const keys = await revokeKeysOf(ctx.db, own, "user_removed", ctx.now);
  await clearOwner(ctx.db, organizationId, userId, ctx.now);
  for (const id of ids) {
    const data = { account_id: id, fields: ["owner_user_id"] };
    ctx.emit({ type: "account.updated", object: id, accountId: id, data });
  }
  return { ids, keys };
}
