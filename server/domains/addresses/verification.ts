// The mail with which a user verifies an e-mail address.
import { enqueueMail } from "@/server/domains/mails/enqueue";
import type { UserRow } from "@/server/domains/users/store";
import { bucketOf, type Throttle } from "@/server/fairness/throttle";
import type { WriteContext } from "@/server/kit/context";
import { foldEmail } from "@/server/kit/fields";
import { hourMs, limits } from "@/server/kit/limits";
import { makeEmailLink } from "./links";

/** Mails a link that makes `email` the user's verified address. The caller has locked the user. */
export async function mailVerification(ctx: WriteContext, user: UserRow, email: string): Promise<void> {
  const hash = await makeEmailLink(ctx, user, email === user.email ? "verify" : "change", email);
  await enqueueMail(ctx, {
    ...{ kind: "verify_email", organizationId: user.organizationId, to: email, userId: user.id },
    ...{ locales: [user.locale], timezone: user.timezone, data: { hours: limits.emailLinks.hours } },
    link: { purpose: "verify_email", objectId: hash },
  });
}

/** How many of these mails go to an address, and how many a user may ask for. */
export const verificationThrottles = (user: UserRow, email: string): Throttle[] => [
  { bucket: bucketOf("verify_mail", foldEmail(email)), limit: limits.emailLinks.mailsPerHour, windowMs: hourMs },
  { bucket: bucketOf("verify_user", user.id), limit: limits.emailLinks.perUserAndHour, windowMs: hourMs },
];
