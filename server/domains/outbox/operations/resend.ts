// POST /v1/mails/{mail_id}/resend: sends a mail again, or a held one for the first time.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { recipientSecret } from "@/server/domains/mails/answer-secret";
import { scheduleDelivery } from "@/server/domains/mails/enqueue";
import { linkOf } from "@/server/domains/mails/links";
import { isResendable } from "@/server/domains/mails/rules";
import { mail, mailId, presentMail } from "@/server/domains/mails/schema";
import { lockMail, updateMail } from "@/server/domains/mails/store";
import { mailThrottles, senderOf } from "@/server/domains/mails/throttles";
import { reserve } from "@/server/fairness/throttle";
import { operation } from "@/server/kit/operation";
import { kindsSeenBy, mayResend } from "../kinds";
import { findMail } from "../store";

export const resendMail = operation({
  id: "mails.resend",
  summary: "Resend a mail",
  description:
    "Queues a mail about a payment, or an invitation, for delivery now: unchanged, and with the same Message-ID. Mails " +
    "that are on their way, and those without bodies or with a link that is no longer valid, cannot be resent.",
  access: rules["mails.resend"],
  effect: "write",
  rest: { method: "POST", path: "/v1/mails/{mail_id}/resend", extension: true },
  input: z.strictObject({ mail_id: mailId }),
  output: mail,
  secret: recipientSecret,
  errors: {
    invalid_request: 400,
    insufficient_permissions: 400,
    email_not_verified: 400,
    mail_not_found: 400,
    mail_not_resendable: 400,
  },
  async run({ ctx, input, fail }) {
    const seen = await findMail(ctx.db, ctx.scope, kindsSeenBy(ctx.actor), input.mail_id);
    if (!seen) return fail("mail_not_found");
    if (!mayResend(ctx.actor, seen.kind)) return fail("insufficient_permissions");
    if (ctx.runtime.env.mail === null) return fail("mail_not_resendable", "No mail server is set up.");
    const isLinkOver = (await linkOf(ctx, seen)) === null;
    // Counters come before mails in the order of row locks.
    await reserve(ctx.db, ctx.now, mailThrottles(seen, senderOf(ctx)));
    const row = await lockMail(ctx.db, seen.id);
    if (!row || isLinkOver || !isResendable(row)) return fail("mail_not_resendable");
    const queued = { status: "queued", attempts: 0, lastError: null, isAutomatic: false, updatedAt: ctx.now } as const;
    const updated = await updateMail(ctx.db, row.id, queued);
    await scheduleDelivery(ctx, updated);
    ctx.audit({ target: row.id, detail: { kind: row.kind, previous_status: row.status } });
    return presentMail(updated, ctx.actor);
  },
});
