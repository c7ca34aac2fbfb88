// POST /v1/users/{user_id}/password: a user changes their own password. All their other sessions end.
import { dashboardUser } from "@/server/access/fresh";
import { checkMay } from "@/server/access/may";
import { rules } from "@/server/access/rules";
import { showsUser } from "@/server/access/scope";
import { organizationById } from "@/server/domains/organizations/organization";
import { changedPassword, passwordInput } from "@/server/domains/users/schema";
import { findUser, type UserRow } from "@/server/domains/users/store";
import type { ReadContext, WriteContext } from "@/server/kit/context";
import { Failure } from "@/server/kit/errors";
import { userOf } from "@/server/kit/identity";
import { type Fail, saga } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import { hashPassword } from "@/server/secrets/password";
import { isWeakPassword } from "@/server/secrets/weak-password";
import { countAttempt, lockVerified, type Verified, verifyCredentials } from "../credentials";
import { replacePassword } from "../passwords";
import { placeOf } from "../throttles";

export const changePassword = saga({
  id: "users.changePassword",
  summary: "Change one's password",
  description:
    "Users change only their own password. Ends all other sessions of the user. A wrong current password counts " +
    "like a failed sign-in.",
  access: rules["users.password"],
  rest: { method: "POST", path: "/v1/users/{user_id}/password", extension: true },
  input: passwordInput,
  output: changedPassword,
  errors: { user_not_found: 400, insufficient_permissions: 400, invalid_credentials: 400, weak_password: 400 },
  async begin({ ctx, input, fail }) {
    const { email, organizationId } = await callingUser(ctx, input.user_id, fail);
    const { name } = await organizationById(ctx.db, organizationId);
    if (isWeakPassword(input.new_password, { email, organization: name })) return fail("weak_password");
    return countAttempt(ctx, { email }, deviceHint(ctx));
  },
  async perform({ ctx, input, intent, fail }): Promise<{ verified: Verified; passwordHash: string }> {
    const { email } = await callingUser(ctx, input.user_id, fail);
    const verified = await verifyCredentials(ctx, { email, password: input.current_password }, intent);
    if (verified.outcome !== "right") return { verified, passwordHash: "" };
    try {
      return { verified, passwordHash: await hashPassword(input.new_password, placeOf(ctx)) };
    } catch (error) {
      if (error instanceof Failure) return { verified: { outcome: "busy", failure: error }, passwordHash: "" };
      throw error;
    }
  },
  async finish({ ctx, input, intent, outcome: { verified, passwordHash }, fail, failAfterCommit }) {
    const { email } = await callingUser(ctx, input.user_id, fail);
    const user = await lockVerified(ctx, { email, counted: intent, verified }, failAfterCommit);
    const kept = userOf(ctx.actor)?.sessionId ?? null;
    const ended = await replacePassword(ctx, user, passwordHash, kept);
    return {
      user_id: user.id,
      revoked_sessions: ended.sessions,
      revoked_tokens: ended.tokens,
      changed_at: iso(ctx.now),
    };
  },
});

/** The caller as a user. A caller may see other users but change only its own password. */
async function callingUser(
  { db, actor, scope }: ReadContext | WriteContext,
  userId: string,
  fail: Fail<"user_not_found" | "insufficient_permissions">,
): Promise<UserRow> {
  const user = showsUser(actor, userId) ? await findUser(db, scope.organizationId, userId) : undefined;
  if (user?.status !== "active") return fail("user_not_found");
  checkMay("users.password", actor, fail, { ownerUserId: user.id });
  return user;
}

/** An API call names no device here, and the session's device does not prove which device calls. */
const deviceHint = ({ actor }: WriteContext) =>
  dashboardUser(actor) ? ({ kind: "cookie" } as const) : ({ kind: "api", deviceId: null } as const);
