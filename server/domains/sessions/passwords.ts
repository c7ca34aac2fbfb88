// Replaces a password and ends the sessions that the old one opened, or asks for a new one by mail.
import { announceUpdate } from "@/server/domains/users/announce";
import { notifyUser } from "@/server/domains/users/notices";
import { setOwnPasswordHash, setPasswordHash, type UserRow } from "@/server/domains/users/store";
import type { WriteContext } from "@/server/kit/context";
import { forgetDevicesOf } from "./devices";
import { type Ended, endSessions } from "./end";
import { mailReset } from "./reset-mail";

/**
 * Stores the hash of a user's new password, ends all of the user's sessions except `keptSessionId`, forgets the
 * user's devices and tells the user by mail. The caller has locked the user, so that no session opens with the old
 * password meanwhile.
 */
export async function replacePassword(
  ctx: WriteContext,
  user: UserRow,
  passwordHash: string,
  keptSessionId: string | null,
): Promise<Ended> {
  await setOwnPasswordHash(ctx.db, user.id, passwordHash);
  const ended = await endSessions(ctx, { userId: user.id, except: keptSessionId }, "password_changed");
  await forgetDevicesOf(ctx, user.id);
  ctx.audit({
    target: user.id,
    organizationId: user.organizationId,
    actor: { type: "user", id: user.id },
    detail: { revoked_sessions: ended.sessions, revoked_tokens: ended.tokens },
  });
  announceUpdate(ctx, user, ["password"]);
  await notifyUser(ctx, user, { notice: "password_changed" });
  return ended;
}

/**
 * Makes the password of a user whose second factors were removed useless, and mails a link to set a new one: somebody
 * else may know the password. Without a mail server or a verified address the password stays, because no mail would
 * reach the user. The caller has locked the user.
 */
export async function askForNewPassword(ctx: WriteContext, user: UserRow): Promise<void> {
  const getsMail = ctx.runtime.env.mail !== null && user.emailVerifiedAt !== null;
  if (!getsMail) return;
  await setPasswordHash(ctx.db, user.id, null);
  await forgetDevicesOf(ctx, user.id);
  announceUpdate(ctx, user, ["password"]);
  // Not counted: each mail takes a second factor that the user has set up since.
  await mailReset(ctx, { ...user, passwordHash: null });
}
