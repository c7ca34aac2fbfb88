// Presents invitations on the wire: the link only in the answer to the call that made it.
import { iso, isoOrNull } from "@/server/process/clock";
import { statusOf } from "./rules";
import type { Invitation } from "./schema";
import type { InvitationRow } from "./store";

/** The record at `now` (epoch ms). */
export const presentInvitation = (row: InvitationRow, now: number, url: string | null = null): Invitation => ({
  invitation_id: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  status: statusOf(row, now),
  url,
  invited_by: row.invitedBy,
  created_at: iso(row.createdAt),
  expires_at: iso(row.expiresAt),
  accepted_at: isoOrNull(row.acceptedAt),
});
