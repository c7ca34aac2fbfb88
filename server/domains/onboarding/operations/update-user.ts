// PATCH /v1/users/{user_id}: users change their own profile; an admin changes the role of a user.
import { checkFreshSignIn } from "@/server/access/fresh";
import { checkMay, roleMay } from "@/server/access/may";
import { type RuleName, rules } from "@/server/access/rules";
import { showsUser } from "@/server/access/scope";
import { lockAccountsOf } from "@/server/domains/accounts/orphan";
import { ownsTooMany } from "@/server/domains/accounts/ownership";
import { findOwnOpenIds, isOpen } from "@/server/domains/accounts/store";
import { revokeKeysMadeBy } from "@/server/domains/api-keys/revoke-with";
import { revokeInvitations } from "@/server/domains/invitations/revoke";
import { changedValues } from "@/server/domains/records/changes";
import { isAdmin, lockAdmins, lockAmongAdmins } from "@/server/domains/users/admins";
import { announceUpdate } from "@/server/domains/users/announce";
import { personalAnswer } from "@/server/domains/users/answer-secret";
import { notifyOfFormerAdmin, notifyOfNewAdmin } from "@/server/domains/users/notices";
import { presentUser } from "@/server/domains/users/present";
import { type User, updateInput, user } from "@/server/domains/users/schema";
import { changeUser, findUser, type UserRow } from "@/server/domains/users/store";
import type { WriteContext } from "@/server/kit/context";
import { type Fail, operation } from "@/server/kit/operation";
import { searchTextOf } from "@/server/kit/words";

type Refusal = Fail<"user_not_found" | "insufficient_permissions">;

export const updateUser = operation({
  id: "users.update",
  summary: "Update a user",
  description:
    "Users change their own name, language and time zone; an admin changes the role of any user of the organization. " +
    "The new role takes effect with the user's next request; accounts that the user owns stay with the user. The API " +
    "keys that a former admin made are revoked, unless the call says otherwise. Absent fields stay unchanged, null clears.",
  access: rules["users.update"],
  accessFor: ({ role }) => rules[ruleFor(role)],
  effect: "write",
  rest: { method: "PATCH", path: "/v1/users/{user_id}", extension: true },
  input: updateInput,
  output: user,
  secret: personalAnswer,
  errors: {
    reauthentication_required: 400,
    user_not_found: 400,
    last_admin: 400,
    account_required: 400,
    too_many_accounts: 400,
    user_not_verified: 400,
    insufficient_permissions: 400,
  },
  async run({ ctx, input, fail }) {
    const { user_id: id, role, revoke_api_keys: revokesKeys, ...profile } = input;
    if (role !== undefined) await lockAdmins(ctx);
    await checkTarget(ctx, id, Object.keys(profile).length > 0, fail);
    // Closing an account locks it first, then its users.
    if (role !== undefined) await lockAccountsOf(ctx, id);
    const { user: before, isLastAdmin } = (await lockAmongAdmins(ctx, id)) ?? fail("user_not_found");
    const isNewRole = role !== undefined && role !== before.role;
    if (isNewRole && isLastAdmin) return fail("last_admin");
    // Admins can undo what an attacker with a stolen session does, so the attacker must not be able to demote them.
    if (isNewRole && isAdmin(before)) checkFreshSignIn(rules["users.remove.staff"], ctx.actor, ctx.now);
    if (isNewRole && isUnproved(ctx, before, role)) return fail("user_not_verified");
    const name = profile.name === undefined ? before.name : profile.name;
    const after = await changeUser(ctx.db, id, {
      ...profile,
      ...{ name, searchText: searchTextOf(name, before.email) },
      ...(isNewRole ? { role, accountId: await accountIn(ctx, before, role, fail) } : {}),
    });
    record(ctx, before, after, Object.keys(profile).sort());
    if (isNewRole && !roleMay("invitations.create.member", after.role)) {
      const own = { organizationId: after.organizationId, invitedBy: after.id };
      await revokeInvitations(ctx, own, "inviter_demoted");
    }
    if (isNewRole && isAdmin(before) && revokesKeys) await revokeKeysMadeBy(ctx, id, "admin_demoted");
    if (isNewRole) {
      await notifyOfNewAdmin(ctx, after);
      await notifyOfFormerAdmin(ctx, before);
    }
    return presentUser(after);
  },
});

function ruleFor(role: User["role"] | undefined): RuleName {
  if (role === undefined) return "users.update";
  // Making somebody an admin or an operator needs step-up wherever creating one does.
  return rules[`users.create.${role}`].needsFreshSignIn ? "users.update.role.promote" : "users.update.role";
}

/**
 * Whether the role would go to a user who has not verified the address: a stranger may have signed up with a
 * colleague's name and address.
 */
const isUnproved = ({ runtime }: WriteContext, { emailVerifiedAt, role: before }: UserRow, role: User["role"]) =>
  emailVerifiedAt === null &&
  runtime.env.mail !== null &&
  roleMay("users.keepUnverifiedEmail", role) &&
  !roleMay("users.keepUnverifiedEmail", before);

/** Refuses unless the caller sees the user and, if the profile changes, is the user. */
async function checkTarget(ctx: WriteContext, id: string, changesProfile: boolean, fail: Refusal): Promise<void> {
  const seen = showsUser(ctx.actor, id) ? await findUser(ctx.db, ctx.scope.organizationId, id) : undefined;
  if (seen?.status !== "active") return fail("user_not_found");
  checkMay("users.update", ctx.actor, fail, { ownerUserId: id });
  if (changesProfile) checkMay("users.update.profile", ctx.actor, fail, { ownerUserId: id });
}

/**
 * The account that the user acts for in the new role. A role that cannot sign in without an account needs an open one.
 * The user and the user's accounts are locked.
 */
async function accountIn(
  ctx: WriteContext,
  { id, organizationId, accountId }: UserRow,
  role: User["role"],
  fail: Fail<"account_required" | "too_many_accounts">,
): Promise<string | null> {
  if (await ownsTooMany(ctx, id, role, 0)) return fail("too_many_accounts");
  if (accountId !== null && (await isOpen(ctx.db, organizationId, accountId))) return accountId;
  const [owned] = await findOwnOpenIds(ctx.db, organizationId, id);
  if (owned === undefined && !roleMay("sessions.login.withoutAccount", role)) return fail("account_required");
  return owned ?? accountId;
}

/** The audit entry and the events of a change. Of the profile, the events contain the names of the fields only. */
function record(ctx: WriteContext, before: UserRow, after: UserRow, fields: readonly string[]): void {
  const isNewRole = after.role !== before.role;
  const detail = { fields, ...(isNewRole ? { from: before.role, to: after.role } : {}) };
  const values = changedValues({ name: before.name }, { name: after.name });
  ctx.audit({ target: after.id, detail, changes: { subject: after.id, values } });
  const user_id = after.id;
  if (fields.length > 0) announceUpdate(ctx, after, fields);
  if (!isNewRole) return;
  const data = { user_id, role: after.role, previous_role: before.role };
  ctx.emit({ type: "user.role_changed", object: user_id, data });
}
