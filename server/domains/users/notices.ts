// Security notices: mails to users after something that affects who can act in their name. Their failure stops nothing.
import { enqueueMail } from "@/server/domains/mails/enqueue";
import type { SecurityNotice } from "@/server/domains/mails/templates/security-notice";
import { bucketOf, secondsToWait, type Throttle } from "@/server/fairness/throttle";
import type { WriteContext } from "@/server/kit/context";
import { hourMs, limits } from "@/server/kit/limits";
import { isAdmin } from "./admins";
import { listAdmins, type UserRow } from "./store";

type Notice = Pick<SecurityNotice, "notice" | "subject">;
type Recipient = Pick<UserRow, "id" | "organizationId" | "email" | "emailVerifiedAt" | "locale" | "timezone">;

/** Limits the notices to one user about the user's own sign-in, so that a password thief cannot flood the mailbox. */
const noticeThrottle = (userId: string): Throttle => ({
  bucket: bucketOf("notice", userId),
  limit: limits.mail.noticesPerHour,
  windowMs: hourMs,
});

/** Whether strangers cause it, who must neither use up the limit of other notices nor write into the mail. */
const isOfStrangers = ({ notice }: Notice): boolean => notice === "cards_declined";

/** Limits the notices to one admin about the organization, separately from those about the admin's own sign-in. */
const adminNoticeThrottle = (userId: string, notice: Notice): Throttle => ({
  bucket: bucketOf(isOfStrangers(notice) ? "notice_strangers" : "notice_admin", userId),
  limit: limits.mail.noticesPerHour,
  windowMs: hourMs,
});

/**
 * Mails the user a notice, with the address and the browser of the call unless strangers cause it. A failure is logged,
 * and the action that the notice reports continues. `undoLink` is the hash of the link that undoes a changed e-mail
 * address; such a notice is mailed beyond the hourly limit too. An address that was never verified gets none: it may be
 * a stranger's.
 */
export const notifyUser = (
  ctx: WriteContext,
  user: Recipient,
  notice: Notice,
  undoLink: string | null = null,
): Promise<void> => notify(ctx, user, notice, noticeThrottle(user.id), undoLink);

async function notify(
  ctx: WriteContext,
  user: Recipient,
  about: Notice,
  throttle: Throttle,
  undoLink: string | null,
): Promise<void> {
  if (user.emailVerifiedAt === null) return;
  const { notice, subject } = about;
  const { ip, userAgent } = isOfStrangers(about) ? { ip: null, userAgent: null } : ctx.request;
  const link = undoLink === null ? null : ({ purpose: "undo_email_change", objectId: undoLink } as const);
  try {
    // A failed statement would end the whole transaction on PostgreSQL.
    await ctx.runtime.db.savepoint(ctx.db, async () => {
      const isTooMany = (await secondsToWait(ctx.db, ctx.realNow, [throttle])) !== null;
      if (isTooMany && link === null) return;
      await enqueueMail(ctx, {
        ...{ kind: "security_notice", organizationId: user.organizationId, to: user.email, userId: user.id, link },
        ...{ locales: [user.locale], timezone: user.timezone },
        data: { notice, at: ctx.now, subject: subject ?? null, ip, userAgent },
      });
    });
  } catch (error) {
    ctx.runtime.log.error({ err: error, userId: user.id, notice }, "a security notice could not be written");
  }
}

/** Mails the notice to the organization's admins, the oldest first, except one. */
export async function notifyAdmins(
  ctx: WriteContext,
  organizationId: string,
  notice: Notice,
  exceptUserId: string | null = null,
): Promise<void> {
  // All transactions lock the counters in this order, after that of a user's own notice.
  for (const admin of await listAdmins(ctx.db, organizationId, limits.mail.noticedAdmins)) {
    if (admin.id !== exceptUserId) await notify(ctx, admin, notice, adminNoticeThrottle(admin.id, notice), null);
  }
}

/** Tells the other admins if the user has just been made an admin. */
export async function notifyOfNewAdmin(ctx: WriteContext, user: UserRow): Promise<void> {
  if (!isAdmin(user)) return;
  const { id, organizationId, name, email } = user;
  await notifyAdmins(ctx, organizationId, { notice: "admin_added", subject: name ?? email }, id);
}

/** Tells the other admins if the user, as `before` the removal, was an admin. Call it once the user is removed. */
export async function notifyOfRemovedAdmin(ctx: WriteContext, before: UserRow): Promise<void> {
  if (!isAdmin(before)) return;
  const { organizationId, name, email } = before;
  await notifyAdmins(ctx, organizationId, { notice: "admin_removed", subject: name ?? email });
}

/** Tells the user and the admins if another role has just replaced that of an admin, which `before` still has. */
export async function notifyOfFormerAdmin(ctx: WriteContext, before: UserRow): Promise<void> {
  if (!isAdmin(before)) return;
  const { organizationId, name, email } = before;
  await notifyUser(ctx, before, { notice: "admin_role_lost" });
  await notifyAdmins(ctx, organizationId, { notice: "admin_demoted", subject: name ?? email });
}
