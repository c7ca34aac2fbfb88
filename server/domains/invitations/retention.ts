// Removes old invitations and erases their mails: they have names and addresses of people.
import { forgetInvitation } from "@/server/domains/mails/store";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { removeExpired } from "./store";

/** Removes up to `limit` invitations that expired, or would have, long enough ago; returns how many. */
export const removeOldInvitations = ({ clock, db }: Runtime, limit: number): Promise<number> =>
  db.write(async (tx) => {
    const now = clock.now();
    const removed = await removeExpired(tx, now - limits.kept.invitationMs, limit);
    for (const invitation of removed) await forgetInvitation(tx, invitation, now);
    return removed.length;
  });
