// Finds the account of a call and checks that the caller sees it: the only check that makes an account Authorized.
// `scopeOf` in server/access decides what a caller sees, the operation's row in the access table what it may do.
import { type Authorized, authorize } from "@/server/access/authorized";
import { may } from "@/server/access/may";
import type { RuleName } from "@/server/access/rules";
import type { ReadContext, WriteContext } from "@/server/kit/context";
import { userOf } from "@/server/kit/identity";
import type { Fail } from "@/server/kit/operation";
import { type AccountRow, findAccount, findDefaultId, findOwnedIds, lockAccount } from "./store";

export type { AccountRow } from "./store";

interface Options {
  /** The rule that says who may omit the account's id. */
  byDefault?: RuleName;
  /** The row lock until the transaction ends: `share` (default) prevents closing, `update` allows changing the row. */
  lock?: "share" | "update";
}

/**
 * The open account of a write: the named one, or the one that the caller acts for by default or is bound to. Refuses a closed account,
 * and refuses an account that the caller does not see like one that does not exist.
 */
export async function accountFor(
  ctx: WriteContext,
  accountId: string | undefined,
  fail: Fail<"account_not_found" | "account_closed" | "invalid_request">,
  options: Options = {},
): Promise<Authorized<AccountRow>> {
  const row = await lockedAccount(ctx, accountId, fail, options);
  return row.status === "open" ? row : fail("account_closed");
}

/** Like `accountFor`, but the account may be closed. */
export async function lockedAccount(
  ctx: WriteContext,
  accountId: string | undefined,
  fail: Fail<"account_not_found" | "invalid_request">,
  { byDefault, lock = "share" }: Options = {},
): Promise<Authorized<AccountRow>> {
  const id = await accountIdFor(ctx, accountId, fail, byDefault);
  const row = await lockAccount(ctx.db, ctx.scope, id, lock);
  return row ? authorize(row) : fail("account_not_found");
}

/** The named account for reading, open or closed. */
export async function visibleAccount(
  ctx: ReadContext | WriteContext,
  accountId: string,
  fail: Fail<"account_not_found">,
): Promise<Authorized<AccountRow>> {
  const row = await findAccount(ctx.db, ctx.scope, accountId);
  return row ? authorize(row) : fail("account_not_found");
}

/**
 * The accounts whose records a call reads; null for the whole organization. The caller must have checked that it sees a
 * named one.
 */
export async function searchedAccounts(
  { db, scope }: Pick<ReadContext, "db" | "scope">,
  accountId: string | undefined,
): Promise<readonly string[] | null> {
  if (accountId !== undefined) return [accountId];
  if (scope.accountId !== null) return [scope.accountId];
  return scope.ownerUserId === null ? null : findOwnedIds(db, scope.organizationId, scope.ownerUserId);
}

/**
 * Any account of the caller's organization, locked against closing: a transfer may go to an account that the caller
 * does not see. It is not Authorized, since the caller may do nothing else with it.
 */
export async function organizationAccount(ctx: WriteContext, accountId: string): Promise<AccountRow | undefined> {
  const scope = { organizationId: ctx.scope.organizationId, ownerUserId: null, accountId: null };
  return lockAccount(ctx.db, scope, accountId, "share");
}

/** The id of a call's account: the named one, or the one that the caller acts for by default. */
export const accountIdFor = async (
  ctx: WriteContext,
  accountId: string | undefined,
  fail: Fail<"invalid_request">,
  byDefault: RuleName = "accounts.byDefault",
): Promise<string> => accountId ?? (await ownAccountId(ctx, byDefault, fail));

/** The account that the caller acts for by default, or that its API key is bound to. */
async function ownAccountId(ctx: WriteContext, byDefault: RuleName, fail: Fail<"invalid_request">): Promise<string> {
  if (ctx.scope.accountId !== null) return ctx.scope.accountId;
  const user =
    userOf(ctx.actor) ?? fail("invalid_request", "account_id: is required from an API key without an account");
  if (!may(byDefault, user)) return fail("invalid_request", "account_id: is required from an admin");
  const id = await findDefaultId(ctx.db, user.organizationId, user.userId);
  if (id === undefined)
    return fail("invalid_request", "account_id: is required because the caller has no open account");
  if (id === "several")
    return fail("invalid_request", "account_id: is required because the caller has several accounts");
  return id;
}
