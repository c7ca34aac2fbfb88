// Who owns an account: how many a user may own, and what changes when an account gets another owner.
import { roleMay } from "@/server/access/may";
import { lockActiveUser, moveUser } from "@/server/domains/users/owners";
import { findUser, lockUsers, type UserRow } from "@/server/domains/users/store";
import type { WriteContext } from "@/server/kit/context";
import type { Fail } from "@/server/kit/operation";
import { type AccountRow, countOwned, findOtherOpenId, giveOpen, isOpen } from "./store";

/** How many accounts a user with this role may own. Every list of a member searches all of them. */
const mostOwned = ({ runtime }: WriteContext, role: UserRow["role"]): number =>
  roleMay("accounts.create.unlimited", role) ? Number.POSITIVE_INFINITY : runtime.env.accountsPerOwner;

/** Whether the user owns more accounts than the role allows, after owning `more` of them. */
export const ownsTooMany = async (
  ctx: WriteContext,
  userId: string,
  role: UserRow["role"],
  more: number,
): Promise<boolean> => (await countOwned(ctx.db, userId)) + more > mostOwned(ctx, role);

/** The active user who is to own one more account, locked. */
export async function lockNewOwner(
  ctx: WriteContext,
  userId: string,
  fail: Fail<"user_not_found" | "too_many_accounts">,
): Promise<UserRow> {
  const owner = (await lockActiveUser(ctx, userId)) ?? fail("user_not_found");
  return (await ownsTooMany(ctx, owner.id, owner.role, 1)) ? fail("too_many_accounts") : owner;
}

/** Lets the new owner act for the account by default, unless the owner acts for another open one. */
export async function actFor(ctx: WriteContext, owner: UserRow, accountId: string): Promise<void> {
  const { accountId: current, organizationId } = owner;
  const hasOpenOne = current !== null && (await isOpen(ctx.db, organizationId, current));
  if (!hasOpenOne) await moveUser(ctx, owner.id, accountId);
}

/**
 * Prepares a change of owner: locks both users, so that neither is removed meanwhile, and moves the previous owner to
 * another open account of theirs, if there is one. The caller has locked the account, and then writes the new owner.
 */
export async function handOver(
  ctx: WriteContext,
  account: AccountRow,
  toUserId: string,
  fail: Fail<"user_not_found" | "too_many_accounts">,
): Promise<void> {
  const { id, organizationId, ownerUserId: fromUserId } = account;
  if (fromUserId === toUserId) return;
  if (!(await findUser(ctx.db, organizationId, toUserId))) return fail("user_not_found");
  await lockUsers(ctx.db, fromUserId === null ? [toUserId] : [fromUserId, toUserId]);
  const owner = await lockNewOwner(ctx, toUserId, fail);
  const previous = fromUserId === null ? undefined : await findUser(ctx.db, organizationId, fromUserId);
  if (previous?.accountId === id) await moveUser(ctx, previous.id, await findOtherOpenId(ctx.db, previous.id, id));
  await actFor(ctx, owner, id);
}

/**
 * Gives all open accounts of a user to another one, and returns their ids. The caller has locked the user and the
 * accounts, and both users in the order of their ids.
 */
export async function giveAllTo(
  ctx: WriteContext,
  fromUserId: string,
  toUserId: string,
  fail: Fail<"user_not_found" | "too_many_accounts">,
): Promise<string[]> {
  const owner = (await lockActiveUser(ctx, toUserId)) ?? fail("user_not_found", "new_owner_user_id: was removed");
  const gift = { from: fromUserId, to: owner.id, now: ctx.now };
  const ids = await giveOpen(ctx.db, owner.organizationId, gift);
  if (await ownsTooMany(ctx, owner.id, owner.role, 0)) return fail("too_many_accounts");
  for (const id of ids) {
    const data = { account_id: id, fields: ["owner_user_id"] };
    ctx.emit({ type: "account.updated", object: id, accountId: id, data });
  }
  const [oldest] = ids;
  if (oldest !== undefined) await actFor(ctx, owner, oldest);
  return ids;
}
