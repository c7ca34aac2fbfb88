// The mail with a link that resets a password: for an address typed by anyone, or for a user chosen by an admin.
import type { Progress } from "@/server/domains/jobs/store";
import { enqueueMail } from "@/server/domains/mails/enqueue";
import { inBackground } from "@/server/domains/records/in-background";
import { findByEmail, lockUser, type UserRow } from "@/server/domains/users/store";
import { secondsToWait } from "@/server/fairness/throttle";
import type { WriteContext } from "@/server/kit/context";
import { foldEmail } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { makeResetLink } from "./reset-link";
import { resetMailThrottle } from "./throttles";

/** Mails the user a new link, which replaces an earlier one. The caller has counted the mail and locked the user. */
export async function mailReset(ctx: WriteContext, user: UserRow): Promise<void> {
  const { hash } = await makeResetLink(ctx, user);
  await enqueueMail(ctx, {
    ...{ kind: "reset_password", organizationId: user.organizationId, to: user.email, userId: user.id },
    ...{ locales: [user.locale], timezone: user.timezone, data: { minutes: limits.resetLinkMinutes } },
    link: { purpose: "reset_password", objectId: hash },
  });
}

/** The job behind /forgot-password: mails a link if a user has the address. Nobody learns whether it did. */
export const mailRequestedReset = async (
  runtime: Runtime,
  _id: string,
  _signal: AbortSignal,
  progress: Progress,
): Promise<undefined> => {
  const email = String(progress?.email ?? "");
  await inBackground(runtime, "users.requestReset", async (ctx) => {
    const found = await findByEmail(ctx.db, email);
    if (!found) return;
    const isOver = (await secondsToWait(ctx.db, ctx.now, [resetMailThrottle(foldEmail(email))])) !== null;
    const user = await lockUser(ctx.db, found.id);
    if (user?.status !== "active" || user.emailKey !== found.emailKey) return;
    ctx.audit({ target: user.id, organizationId: user.organizationId, detail: { is_sent: !isOver } });
    if (!isOver) await mailReset(ctx, user);
  });
};
