// Which account a call is about, and whether its caller sees it: the one check that makes an account Authorized. What one
// sees is decided by `scopeOf` in server/access, what one may do there by the row of the operation.
import type { Reader } from "@/db/client";
import { type Authorized, authorize } from "@/server/access/authorized";
import { may } from "@/server/access/may";
import type { RuleName } from "@/server/access/rules";
import type { ReadContext, WriteContext } from "@/server/kit/context";
import { userOf } from "@/server/kit/identity";
import type { Fail } from "@/server/kit/operation";
import { type AccountRow, findAccount, findOwnedIds, findOwnOpenIds, holdAccount } from "./store";

export type { AccountRow } from "./store";

interface Options {
  /** Who may leave the account's id out. */
  byDefault?: RuleName;
  /** How the row is held until the transaction ends: `share` (the default) against closing, `update` to change it. */
  hold?: "share" | "update";
}

/**
 * The open account that a write is about: the named one, or the caller's only open one. Refuses an account out of the
 * caller's sight like one that does not exist, and a closed one.
 */
export async function accountFor(
  ctx: WriteContext,
  accountId: string | undefined,
  fail: Fail<"account_not_found" | "account_closed" | "invalid_request">,
  options: Options = {},
): Promise<Authorized<AccountRow>> {
  const row = await heldAccount(ctx, accountId, fail, options);
  return row.status === "open" ? row : fail("account_closed");
}

/** The same, open or closed. */
export async function heldAccount(
  ctx: WriteContext,
  accountId: string | undefined,
  fail: Fail<"account_not_found" | "invalid_request">,
  { byDefault, hold = "share" }: Options = {},
): Promise<Authorized<AccountRow>> {
  const id = await accountIdFor(ctx, accountId, fail, byDefault);
  const row = await holdAccount(ctx.db, ctx.scope, id, hold);
  return row ? authorize(row) : fail("account_not_found");
}

/** The named account for reading, whatever its status. */
export async function visibleAccount(
  ctx: ReadContext | WriteContext,
  accountId: string,
  fail: Fail<"account_not_found">,
): Promise<Authorized<AccountRow>> {
  const row = await findAccount(ctx.db, ctx.scope, accountId);
  return row ? authorize(row) : fail("account_not_found");
}

/** The accounts whose records are asked for, the named one being in sight already; null for the whole organization. */
export async function accountsInSight(
  { db, scope }: Pick<ReadContext, "db" | "scope">,
  accountId: string | undefined,
): Promise<readonly string[] | null> {
  if (accountId !== undefined) return [accountId];
  if (scope.accountId !== null) return [scope.accountId];
  return scope.ownerUserId === null ? null : findOwnedIds(db, scope.organizationId, scope.ownerUserId);
}

/**
 * Any account of the caller's organization, held against closing: where money may go beyond the caller's sight. It is
 * not Authorized, since the caller may do nothing else with it.
 */
export async function organizationAccount(ctx: WriteContext, accountId: string): Promise<AccountRow | undefined> {
  const scope = { organizationId: ctx.scope.organizationId, ownerUserId: null, accountId: null };
  return holdAccount(ctx.db, scope, accountId, "share");
}

/** The id of the account that a call is about: the named one, or the caller's only open one. */
export const accountIdFor = async (
  ctx: WriteContext,
  accountId: string | undefined,
  fail: Fail<"invalid_request">,
  byDefault: RuleName = "accounts.byDefault",
): Promise<string> => accountId ?? (await ownAccountId(ctx, byDefault, fail));

/** The caller's only open account. */
async function ownAccountId(
  ctx: { db: Reader; actor: WriteContext["actor"] },
  byDefault: RuleName,
  fail: Fail<"invalid_request">,
): Promise<string> {
  const user = userOf(ctx.actor) ?? fail("invalid_request", "account_id: is required from an API key");
  if (!may(byDefault, user)) return fail("invalid_request", "account_id: is required from an admin");
  const [only, another] = await findOwnOpenIds(ctx.db, user.organizationId, user.userId);
  if (only === undefined) return fail("invalid_request", "account_id: is required, the caller has no open account");
  if (another !== undefined) return fail("invalid_request", "account_id: is required, the caller has several accounts");
  return only;
}
