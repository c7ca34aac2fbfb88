// DELETE /v1/invitations/{invitation_id}: revokes an invitation, so that both of its links stop working.
import { rules } from "@/server/access/rules";
import { operation } from "@/server/kit/operation";
import { invitationSecret } from "../answer-secret";
import { presentInvitation } from "../present";
import { revokeByCaller } from "../revoke";
import { refusalToAccept, statusOf } from "../rules";
import { invitation, revokeInput } from "../schema";
import { lockInvitation } from "../store";

export const revokeInvitation = operation({
  id: "invitations.revoke",
  summary: "Revoke an invitation",
  description: "Both of its links stop working at once. It stays in the list.",
  access: rules["invitations.revoke"],
  effect: "write",
  rest: { method: "DELETE", path: "/v1/invitations/{invitation_id}", extension: true },
  input: revokeInput,
  output: invitation,
  secret: invitationSecret,
  errors: {
    insufficient_permissions: 400,
    invitation_not_found: 400,
    invitation_used: 400,
    invitation_expired: 400,
  },
  async run({ ctx, input, fail }) {
    const { organizationId } = ctx.scope;
    const found = await lockInvitation(ctx.db, input.invitation_id);
    if (found?.organizationId !== organizationId) return fail("invitation_not_found");
    const refusal = refusalToAccept(statusOf(found, ctx.now));
    if (refusal !== null) return fail(refusal);
    const [revoked] = await revokeByCaller(ctx, { organizationId, id: found.id }, "revoked", fail);
    ctx.audit({ target: found.id, detail: { role: found.role } });
    return presentInvitation(revoked ?? found, ctx.now);
  },
});
