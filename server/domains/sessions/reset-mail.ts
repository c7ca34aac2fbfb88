// The mail with a link that resets a password: for an address typed by anyone, or for a user chosen by an admin.
import type { Progress } from "@/server/domains/jobs/store";
import { enqueueMail } from "@/server/domains/mails/enqueue";
import { inBackground } from "@/server/domains/records/in-background";
import { findByEmail, lockUser, type UserRow } from "@/server/domains/users/store";
import { secondsToWait } from "@/server/fairness/throttle";
import type { WriteContext } from "@/server/kit/context";
import { foldEmail } from "@/server/kit/fields";
import { instantOf } from "@/server/kit/ids";
import { limits, minuteMs } from "@/server/kit/limits";
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

/**
 * The job behind /forgot-password: mails a link if a user has the address. The caller does not learn which. The job has
 * no organization, so nobody could see or retry it if it died. Instead it ends once its link would have expired. By
 * then the user has asked again.
 */
export const mailRequestedReset = async (
  runtime: Runtime,
  id: string,
  _signal: AbortSignal,
  progress: Progress,
): Promise<undefined> => {
  const address = String(progress?.email ?? "");
  if (runtime.clock.now() - instantOf(id) >= limits.resetLinkMinutes * minuteMs) return;
  await inBackground(runtime, "users.requestReset", async (ctx) => {
    const found = await findByEmail(ctx.db, address);
    if (!found) return;
    const isSent = (await secondsToWait(ctx.db, ctx.now, [resetMailThrottle(foldEmail(address))])) === null;
    const user = await lockUser(ctx.db, found.id);
    if (user?.status !== "active" || user.emailKey !== found.emailKey) return;
    ctx.audit({ target: user.id, organizationId: user.organizationId, detail: { is_sent: isSent } });
    if (isSent) await mailReset(ctx, user);
  });
};
