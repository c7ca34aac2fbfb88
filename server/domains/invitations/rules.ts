// Pure rules of invitations: the status, the refusal to accept one, and which users an accepted one replaces.
import { roleMay } from "@/server/access/may";
import type { UserRow } from "@/server/domains/users/store";
import type { InvitationStatus } from "./schema";

interface Times {
  acceptedAt: number | null;
  revokedAt: number | null;
  expiresAt: number;
}

/** The status at `now` (epoch ms). */
export function statusOf({ acceptedAt, revokedAt, expiresAt }: Times, now: number): InvitationStatus {
  if (acceptedAt !== null) return "accepted";
  if (revokedAt !== null) return "revoked";
  return now >= expiresAt ? "expired" : "open";
}

/** The refusal to accept it in this status; null while it is open. A revoked one is like one that never was. */
export const refusalToAccept = (status: InvitationStatus) =>
  ({
    open: null,
    accepted: "invitation_used",
    expired: "invitation_expired",
    revoked: "invitation_not_found",
  })[status] as "invitation_used" | "invitation_expired" | "invitation_not_found" | null;

/**
 * Whether accepting the mailed invitation to the user's address removes the user: a member of the inviting organization
 * who has not verified the address. Anyone can sign up as a member with any address.
 */
export const isReplaceable = (
  user: Pick<UserRow, "organizationId" | "emailVerifiedAt" | "role">,
  organizationId: string,
): boolean =>
  user.organizationId === organizationId &&
  user.emailVerifiedAt === null &&
  !roleMay("users.keepUnverifiedEmail", user.role);
