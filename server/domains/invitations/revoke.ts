// Revokes open invitations: on demand, with a second one to the same address, or with the role of the inviter.
import { checkMay } from "@/server/access/may";
import type { WriteContext } from "@/server/kit/context";
import type { Fail } from "@/server/kit/operation";
import { type InvitationRow, type Revoked, revokeOpen } from "./store";

/** Revokes those that are open, and emits an event for each. */
export async function revokeInvitations(ctx: WriteContext, which: Revoked, reason: string): Promise<InvitationRow[]> {
  const rows = await revokeOpen(ctx.db, which, reason, ctx.now);
  for (const { id, organizationId, role } of rows) {
    const data = { invitation_id: id, role, status: "revoked" };
    ctx.emit({ type: "invitation.revoked", object: id, organizationId, data });
  }
  return rows;
}

/** As {@link revokeInvitations}, on demand: refuses callers who could not have invited somebody to that role. */
export async function revokeByCaller(
  ctx: WriteContext,
  which: Revoked,
  reason: string,
  fail: Fail<"insufficient_permissions">,
): Promise<InvitationRow[]> {
  const rows = await revokeInvitations(ctx, which, reason);
  for (const { role } of rows) checkMay(`invitations.create.${role}`, ctx.actor, fail);
  return rows;
}
