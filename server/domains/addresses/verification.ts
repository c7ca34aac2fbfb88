// The mail with which a user verifies an e-mail address.
import { enqueueMail } from "@/server/domains/mails/enqueue";
import { mailboxOf } from "@/server/domains/mails/throttles";
import type { UserRow } from "@/server/domains/users/store";
import { bucketOf, secondsToWait, type Throttle } from "@/server/fairness/throttle";
import type { WriteContext } from "@/server/kit/context";
import { foldEmail } from "@/server/kit/fields";
import { isAnonymous, userOf } from "@/server/kit/identity";
import { hourMs, limits } from "@/server/kit/limits";
import { makeEmailLink } from "./links";

/**
 * Mails a link that makes `email` the user's verified address. The caller has locked the user. Sends nothing once the
 * mailbox has received an hour's worth from all users together. That is no error, because an error would tell a
 * stranger that others have asked for mails to it.
 */
export async function mailVerification(ctx: WriteContext, user: UserRow, email: string): Promise<void> {
  if ((await secondsToWait(ctx.db, ctx.now, sharedThrottles(ctx, user, email))) !== null) return;
  const hash = await makeEmailLink(ctx, user, email === user.email ? "verify" : "change", email);
  await enqueueMail(ctx, {
    ...{ kind: "verify_email", organizationId: user.organizationId, to: email, userId: user.id },
    ...{ locales: [user.locale], timezone: user.timezone, data: { hours: limits.emailLinks.hours } },
    link: { purpose: "verify_email", objectId: hash },
  });
}

const { perUserAndHour, perMailboxAndHour, perMailboxOfUser } = limits.emailLinks;

/** How many of these mails a user may ask for: in all, and to one mailbox. Nobody else fills these counters. */
export const verificationThrottles = (user: UserRow, email: string): Throttle[] => [
  { bucket: bucketOf("verify_user", user.id), limit: perUserAndHour, windowMs: hourMs },
  {
    bucket: bucketOf("verify_user_mailbox", JSON.stringify([user.id, mailboxOf(foldEmail(email))])),
    limit: perMailboxOfUser,
    windowMs: hourMs,
  },
];

/** Limits that users share: mails to one mailbox, and mails to users whom an admin or an API key created. */
function sharedThrottles({ actor }: WriteContext, { id, organizationId }: UserRow, email: string): Throttle[] {
  const mailbox = { bucket: bucketOf("verify_mailbox", mailboxOf(foldEmail(email))), limit: perMailboxAndHour };
  const created = { bucket: bucketOf("verify_created", organizationId), limit: limits.mail.perOrganization };
  const isByOther = !isAnonymous(actor) && userOf(actor)?.userId !== id;
  return [mailbox, ...(isByOther ? [created] : [])].map((each) => ({ ...each, windowMs: hourMs }));
}
