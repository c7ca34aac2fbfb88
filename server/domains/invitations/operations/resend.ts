// The mail of an open invitation, sent again from the list of invitations.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { queueAgain } from "@/server/domains/mails/resend";
import { findInvitationMail } from "@/server/domains/mails/store";
import { operation } from "@/server/kit/operation";
import { refusalToAccept, statusOf } from "../rules";
import { invitationId } from "../schema";
import { readInvitation } from "../store";

export const resendInvitation = operation({
  id: "invitations.resend",
  summary: "Mail an invitation again",
  description: "Sends the same mail again: the link and its expiry do not change.",
  access: rules["invitations.resend"],
  effect: "write",
  input: z.strictObject({ invitation_id: invitationId }),
  output: z.strictObject({ invitation_id: z.string() }),
  errors: {
    insufficient_permissions: 400,
    email_not_verified: 400,
    invitation_not_found: 400,
    invitation_used: 400,
    invitation_expired: 400,
    mail_not_resendable: 400,
  },
  async run({ ctx, input, fail }) {
    const found = await readInvitation(ctx.db, input.invitation_id);
    if (found?.organizationId !== ctx.scope.organizationId) return fail("invitation_not_found");
    const refusal = refusalToAccept(statusOf(found, ctx.now));
    if (refusal !== null) return fail(refusal);
    const mail = (await findInvitationMail(ctx.db, found)) ?? fail("mail_not_resendable");
    await queueAgain(ctx, mail, fail);
    ctx.audit({ target: found.id, detail: { mail_id: mail.id } });
    return { invitation_id: found.id };
  },
});
