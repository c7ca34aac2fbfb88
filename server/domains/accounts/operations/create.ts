// POST /v1/accounts: registers an individual or business account.
import { checkMay, roleMay } from "@/server/access/may";
import { rules } from "@/server/access/rules";
import { lockActiveUser, moveUser } from "@/server/domains/users/owners";
import type { UserRow } from "@/server/domains/users/store";
import type { WriteContext } from "@/server/kit/context";
import { userOf } from "@/server/kit/identity";
import { type Fail, operation } from "@/server/kit/operation";
import { openAccount } from "../open";
import { presentAccount } from "../present";
import { account, createInput } from "../schema";
import { countOwned, isOpen } from "../store";

export const createAccount = operation({
  id: "accounts.create",
  summary: "Create an account",
  description:
    "The caller becomes the owner. An admin or an API key may name another user of the organization, or null for none; " +
    "an API key's account has no owner unless one is named.",
  access: rules["accounts.create"],
  effect: "write",
  rest: { method: "POST", path: "/v1/accounts" },
  input: createInput,
  output: account,
  errors: { insufficient_permissions: 400, user_not_found: 400, too_many_accounts: 400 },
  async run({ ctx, input, fail }) {
    const ownerUserId = ownerOf(ctx, input.owner_user_id, fail);
    const owner = ownerUserId === null ? null : ((await lockActiveUser(ctx, ownerUserId)) ?? fail("user_not_found"));
    if (owner) {
      // Every list of a member searches all of the member's accounts; an admin's list searches the organization.
      const most = roleMay("accounts.create.unlimited", owner.role)
        ? Number.POSITIVE_INFINITY
        : ctx.runtime.env.accountsPerOwner;
      if ((await countOwned(ctx.db, owner.id)) >= most) return fail("too_many_accounts");
    }
    const row = await openAccount(ctx, {
      organizationId: ctx.scope.organizationId,
      ownerUserId,
      accountType: input.account_type,
      accountName: input.account_name,
      email: input.email,
      preferences: input.preferences,
      metadata: input.metadata,
    });
    if (owner && !(await hasOpenAccount(ctx, owner))) await moveUser(ctx, owner.id, row.id);
    ctx.audit({ target: row.id, detail: { owner_user_id: ownerUserId } });
    return presentAccount(ctx.db, row);
  },
});

/** Whether the user's current account is open. */
const hasOpenAccount = async ({ db }: WriteContext, { accountId, organizationId }: UserRow): Promise<boolean> =>
  accountId !== null && (await isOpen(db, organizationId, accountId));

/** The user who will own the account; null for none. */
function ownerOf(
  { actor }: WriteContext,
  named: string | null | undefined,
  fail: Fail<"insufficient_permissions">,
): string | null {
  const caller = userOf(actor)?.userId ?? null;
  if (named === undefined || named === caller) return caller;
  checkMay("accounts.create.forOthers", actor, fail);
  return named;
}
