// Removes old invitations, which have names and addresses of people.
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { removeExpired } from "./store";

/** Removes up to `limit` invitations that expired, or would have, long enough ago; returns how many. */
export const removeOldInvitations = ({ clock, db }: Runtime, limit: number): Promise<number> =>
  db.write((tx) => removeExpired(tx, clock.now() - limits.kept.invitationMs, limit));
