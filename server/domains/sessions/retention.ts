// How long sessions are kept after they are over, and what goes with their user.
import type { WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { forgetDevicesOf } from "./devices";
import { removeMovesOf } from "./step-up-store";
import { clearClients, findOver, removeSessions } from "./store";
import { removeTokensOf } from "./token-store";

/** So long an ended session answers that it has ended, rather than that it never was. */
const keptMs = limits.kept.sessionMs;

/** Removes up to `limit` sessions that have been over for long enough, with their tokens; their number. */
export const removeOldSessions = (runtime: Runtime, limit: number): Promise<number> =>
  runtime.db.write(async (tx) => {
    const ids = await findOver(tx, runtime.clock.now() - keptMs, limit);
    await removeTokensOf(tx, ids);
    await removeMovesOf(tx, ids);
    await removeSessions(tx, ids);
    return ids.length;
  });

/** Clears the personal data on the sessions of a user who is removed, and forgets its devices. */
export async function forgetClientsOf(ctx: Pick<WriteContext, "db">, userId: string): Promise<void> {
  await clearClients(ctx.db, userId);
  await forgetDevicesOf(ctx, userId);
}
