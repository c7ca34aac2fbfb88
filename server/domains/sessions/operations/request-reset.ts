// The ways to have a link that resets a password mailed: by its user on /forgot-password, and by an admin.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { schedule } from "@/server/domains/jobs/queue";
import { userId } from "@/server/domains/users/schema";
import { findUser, lockUser } from "@/server/domains/users/store";
import { reserve } from "@/server/fairness/throttle";
import { email } from "@/server/kit/fields";
import { operation } from "@/server/kit/operation";
import { mailReset } from "../reset-mail";
import { resetRequestThrottle, sentResetThrottle } from "../throttles";

export const requestReset = operation({
  id: "users.requestReset",
  summary: "Ask for a reset link",
  description:
    "Responds before anything is looked up, so that known and unknown addresses get the same response in the same " +
    "time; a job does the rest (OWASP Forgot Password).",
  access: rules["users.reset"],
  effect: "write",
  input: z.strictObject({ email }),
  output: z.strictObject({}),
  errors: {},
  idempotent: false,
  // The job writes an entry if the address is a user's.
  isAudited: false,
  async run({ ctx, input }) {
    await reserve(ctx.db, ctx.now, [resetRequestThrottle(ctx)]);
    const progress = { email: input.email };
    // The organization is not known yet.
    await schedule(ctx, {
      ...{ kind: "users.mail_reset", organizationId: "", objectId: ctx.id("job"), afterMs: 0, progress },
    });
    return {};
  },
});

export const sendReset = operation({
  id: "users.sendReset",
  summary: "Mail a reset link to a user",
  access: rules["users.sendReset"],
  effect: "write",
  input: z.strictObject({ user_id: userId }),
  output: z.strictObject({ user_id: z.string() }),
  errors: {
    user_not_found: 400,
    insufficient_permissions: 400,
    email_not_verified: 400,
    mail_server_missing: 400,
  },
  async run({ ctx, input, fail }) {
    const seen = await findUser(ctx.db, ctx.scope.organizationId, input.user_id);
    if (!seen?.emailKey) return fail("user_not_found");
    if (ctx.runtime.env.mail === null) return fail("mail_server_missing");
    await reserve(ctx.db, ctx.now, [sentResetThrottle(seen.id)]);
    const user = await lockUser(ctx.db, seen.id);
    if (user?.emailKey !== seen.emailKey) return fail("user_not_found");
    await mailReset(ctx, user);
    ctx.audit({ target: user.id });
    return { user_id: user.id };
  },
});
