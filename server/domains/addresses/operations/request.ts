// What signed-in users ask for about their own address: the verification mail again, and another address.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { lockUser, readUser } from "@/server/domains/users/store";
import { reserve } from "@/server/fairness/throttle";
import type { WriteContext } from "@/server/kit/context";
import { email, foldEmail } from "@/server/kit/fields";
import { userOf } from "@/server/kit/identity";
import { type Fail, operation } from "@/server/kit/operation";
import { mailVerification, verificationThrottles } from "../verification";

/** Without the address, because responses are stored with the Idempotency-Key. */
const output = z.strictObject({ user_id: z.string() });

export const sendVerification = operation({
  id: "users.sendVerification",
  summary: "Resend the link that verifies one's e-mail address",
  access: rules["users.sendVerification"],
  effect: "write",
  input: z.strictObject({}),
  output,
  errors: { insufficient_permissions: 400, mail_server_missing: 400, email_verified: 400 },
  async run({ ctx, fail }) {
    const user = await lockedCaller(ctx, null, fail);
    if (user.emailVerifiedAt !== null) return fail("email_verified");
    await mailVerification(ctx, user, user.email);
    ctx.audit({ target: user.id });
    return { user_id: user.id };
  },
});

export const changeEmail = operation({
  id: "users.changeEmail",
  summary: "Ask for another e-mail address",
  description:
    "Mails a link to the new address; the address changes once the link is used. The response and the mail are the " +
    "same whether or not another user has the address.",
  access: rules["users.changeEmail"],
  effect: "write",
  input: z.strictObject({ email }),
  output,
  errors: {
    insufficient_permissions: 400,
    reauthentication_required: 400,
    mail_server_missing: 400,
    invalid_request: 400,
  },
  async run({ ctx, input, fail }) {
    const user = await lockedCaller(ctx, input.email, fail);
    if (user.emailKey === foldEmail(input.email))
      return fail("invalid_request", "email: is the user's address already");
    await mailVerification(ctx, user, input.email);
    ctx.audit({ target: user.id });
    return { user_id: user.id };
  },
});

/** The calling user, locked, once the mail has been counted. Null as the address means the user's own. */
async function lockedCaller(
  ctx: WriteContext,
  address: string | null,
  fail: Fail<"insufficient_permissions" | "mail_server_missing">,
) {
  const seen = await readUser(ctx.db, userOf(ctx.actor)?.userId ?? "");
  if (!seen) return fail("insufficient_permissions");
  if (ctx.runtime.env.mail === null) return fail("mail_server_missing");
  // Counters of sign-in come before users in the order of row locks.
  await reserve(ctx.db, ctx.now, verificationThrottles(seen, address ?? seen.email));
  const user = await lockUser(ctx.db, seen.id);
  return user?.status === "active" ? user : fail("insufficient_permissions");
}
