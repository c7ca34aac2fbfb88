// POST /v1/mails/{mail_id}/resend: sends a mail again, or a held one for the first time.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { recipientSecret } from "@/server/domains/mails/answer-secret";
import { queueAgain } from "@/server/domains/mails/resend";
import { mail, mailId, presentMail } from "@/server/domains/mails/schema";
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
  concernsOthers: () => true,
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
    const { before, queued } = await queueAgain(ctx, seen, fail);
    ctx.audit({ target: queued.id, detail: { kind: queued.kind, previous_status: before.status } });
    return presentMail(queued, ctx.actor);
  },
});
