// Accepting an invitation: what it decides about the new user, and the record of it.
import type { Reader } from "@/db/client";
import { roleMay } from "@/server/access/may";
import { invitationOf } from "@/server/domains/invitations/link";
import { refusalToAccept, statusOf } from "@/server/domains/invitations/rules";
import { accountOfUser } from "@/server/domains/invitations/schema";
import { type InvitationRow, lockInvitation, markAccepted } from "@/server/domains/invitations/store";
import { giveInvitationMails } from "@/server/domains/mails/store";
import { readUser } from "@/server/domains/users/store";
import type { WriteContext } from "@/server/kit/context";
import type { Fail } from "@/server/kit/operation";

type Refusal = Fail<"invitation_not_found" | "invitation_expired" | "invitation_used">;

export interface OpenInvitation {
  row: InvitationRow;
  /** Whether the token came by mail, so that whoever has it reads the address's mail. */
  provesAddress: boolean;
}

/** The open invitation of the token at `now` (epoch ms); refuses any other. */
export async function openInvitation(q: Reader, token: string, now: number, fail: Refusal): Promise<OpenInvitation> {
  const found = (await invitationOf(q, token)) ?? fail("invitation_not_found");
  const refusal = refusalToAccept(statusOf(found.row, now));
  if (refusal !== null) return fail(refusal);
  return (await mayStillInvite(q, found.row.invitedBy)) ? found : fail("invitation_not_found");
}

/**
 * Whether the inviter has kept the right to invite. Removing or demoting somebody revokes their invitations; this holds
 * also for one that was written at the same time. An API key's invitations have no inviter.
 */
async function mayStillInvite(q: Reader, userId: string | null): Promise<boolean> {
  if (userId === null) return true;
  const inviter = await readUser(q, userId);
  return inviter?.status === "active" && roleMay("invitations.create.member", inviter.role);
}

/** The same, locked: of two acceptances at once, one comes too late. */
export async function lockOpenInvitation(ctx: WriteContext, token: string, fail: Refusal): Promise<OpenInvitation> {
  const { row } = await openInvitation(ctx.db, token, ctx.now, fail);
  await lockInvitation(ctx.db, row.id);
  return openInvitation(ctx.db, token, ctx.now, fail);
}

/** The account that the invitation promises; null for the default. */
export const promisedAccount = ({ accountFields }: InvitationRow) =>
  accountFields && accountOfUser.parse(accountFields);

/** Records that the user accepted the invitation, which the caller has locked. */
export async function recordAcceptance(ctx: WriteContext, row: InvitationRow, userId: string): Promise<void> {
  await markAccepted(ctx.db, row.id, userId, ctx.now);
  await giveInvitationMails(ctx.db, row, userId);
  const data = { invitation_id: row.id, role: row.role, status: "accepted", user_id: userId };
  ctx.emit({ type: "invitation.accepted", object: row.id, organizationId: row.organizationId, data });
}
