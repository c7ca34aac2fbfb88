// DELETE /v1/users/{user_id}: removes a user permanently. The row stays as a tombstone for records that refer to it.
import { checkMay, isStaff, may } from "@/server/access/may";
import { rules } from "@/server/access/rules";
import { showsUser } from "@/server/access/scope";
import { lockAccountsOf } from "@/server/domains/accounts/orphan";
import { lockAdmins, lockAmongAdmins } from "@/server/domains/users/admins";
import { notifyOfRemovedAdmin } from "@/server/domains/users/notices";
import { removedUser, removeInput } from "@/server/domains/users/schema";
import { findUser, lockUsers, type UserRow } from "@/server/domains/users/store";
import type { WriteContext } from "@/server/kit/context";
import { idOf } from "@/server/kit/identity";
import { type Fail, operation } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import { removeLocked } from "../remove";

export const removeUser = operation({
  id: "users.remove",
  summary: "Remove a user",
  description:
    "Permanent. Ends the user's sessions and tokens, revokes the API keys that the user made, and erases personal data. " +
    "The user's accounts stay with the organization, without an owner; the open ones get the owner that the call names, " +
    "for which an API key needs the scope `accounts:owner` too. API keys remove members only. The other admins are told " +
    "by mail if the user was an admin.",
  access: rules["users.remove"],
  effect: "write",
  rest: { method: "DELETE", path: "/v1/users/{user_id}" },
  input: removeInput,
  output: removedUser,
  errors: {
    reauthentication_required: 400,
    user_not_found: 400,
    last_admin: 400,
    too_many_accounts: 400,
    insufficient_permissions: 400,
  },
  async run({ ctx, input, fail }) {
    await lockAdmins(ctx);
    const heirId = input.new_owner_user_id ?? null;
    const target = await lockTarget(ctx, input.user_id, heirId, fail);
    const heir = heirId === null ? null : { id: heirId, fail };
    const keepsKeys = !input.revoke_api_keys || !may("apiKeys.revoke", ctx.actor);
    const { ended, orphaned } = await removeLocked(ctx, target, { heir, keepsInvitations: false, keepsKeys });
    await notifyOfRemovedAdmin(ctx, target);
    return {
      user_id: target.id,
      removed: true as const,
      removed_at: iso(ctx.now),
      revoked_sessions: ended.sessions,
      revoked_tokens: ended.tokens,
      orphaned_account_ids: orphaned,
    };
  },
});

/** The active user to remove, locked with its accounts and with the user who gets them. Not the last admin. */
async function lockTarget(
  ctx: WriteContext,
  id: string,
  heirId: string | null,
  fail: Fail<"user_not_found" | "last_admin" | "insufficient_permissions">,
): Promise<UserRow> {
  const { organizationId } = ctx.scope;
  const seen = showsUser(ctx.actor, id) ? await findUser(ctx.db, organizationId, id) : undefined;
  if (seen?.status !== "active") return fail("user_not_found");
  checkMay("users.remove", ctx.actor, fail, { ownerUserId: id });
  if (isStaff(seen.role) && idOf(ctx.actor) !== id) checkMay("users.remove.staff", ctx.actor, fail);
  if (heirId !== null) {
    checkMay("accounts.update.owner", ctx.actor, fail);
    const isOther = heirId !== id && (await findUser(ctx.db, organizationId, heirId)) !== undefined;
    if (!isOther) return fail("user_not_found", "new_owner_user_id: no other user has this identifier");
  }

  await lockAccountsOf(ctx, id);
  if (heirId !== null) await lockUsers(ctx.db, [id, heirId]);
  const locked = (await lockAmongAdmins(ctx, id)) ?? fail("user_not_found");
  return locked.isLastAdmin ? fail("last_admin") : locked.user;
}
