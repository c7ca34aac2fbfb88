// Sends a mail again, or a held one for the first time.
import { reserve } from "@/server/fairness/throttle";
import type { WriteContext } from "@/server/kit/context";
import type { Fail } from "@/server/kit/operation";
import { scheduleDelivery } from "./enqueue";
import { linkOf } from "./links";
import { isResendable } from "./rules";
import { lockMail, type MailRow, updateMail } from "./store";
import { mailThrottles, senderOf } from "./throttles";

/**
 * Queues a mail that the caller may send again, counted like any that the caller sends. Refuses one that is on its way,
 * has lost its bodies or has a link that is no longer valid, and all where no mail server is set up. Locks rows.
 */
export async function queueAgain(
  ctx: WriteContext,
  seen: MailRow,
  fail: Fail<"mail_not_resendable">,
): Promise<{ before: MailRow; queued: MailRow }> {
  if (ctx.runtime.env.mail === null) return fail("mail_not_resendable", "No mail server is set up.");
  const isLinkOver = (await linkOf(ctx, seen)) === null;
  // Counters come before mails in the order of row locks.
  await reserve(ctx.db, ctx.now, mailThrottles(seen, senderOf(ctx)));
  const before = await lockMail(ctx.db, seen.id);
  if (!before || isLinkOver || !isResendable(before)) return fail("mail_not_resendable");
  const change = { status: "queued", attempts: 0, lastError: null, isAutomatic: false, updatedAt: ctx.now } as const;
  const queued = await updateMail(ctx.db, before.id, change);
  await scheduleDelivery(ctx, queued);
  return { before, queued };
}
