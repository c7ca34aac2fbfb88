// Removes old sessions, and the personal data in the sessions of a removed user.
import type { WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { forgetDevicesOf } from "./devices";
import { removeExpiredResets } from "./reset-store";
import { removeMovesOf } from "./step-up-store";
import { clearClients, findEndedOrExpired, removeSessions } from "./store";
import { removeTokensOf } from "./token-store";

/** For this long an ended session is reported as ended, afterwards as unknown. */
const keptMs = limits.kept.sessionMs;

/** Removes up to `limit` sessions that ended or expired long enough ago, with their tokens; returns how many. */
export const removeOldSessions = (runtime: Runtime, limit: number): Promise<number> =>
  runtime.db.write(async (tx) => {
    const ids = await findEndedOrExpired(tx, runtime.clock.now() - keptMs, limit);
    await removeTokensOf(tx, ids);
    await removeMovesOf(tx, ids);
    await removeSessions(tx, ids);
    return ids.length;
  });

/** Removes up to `limit` reset links that expired long enough ago; returns how many. */
export const removeOldResets = ({ clock, db }: Runtime, limit: number): Promise<number> =>
  db.write((tx) => removeExpiredResets(tx, clock.now() - limits.kept.linkMs, limit));

/** Clears the personal data in the sessions of a user who is removed, and forgets the user's devices. */
export async function forgetClientsOf(ctx: Pick<WriteContext, "db">, userId: string): Promise<void> {
  await clearClients(ctx.db, userId);
  await forgetDevicesOf(ctx, userId);
}
