// How long sessions are kept after they are over, and what goes with their user.
import type { WriteContext } from "@/server/kit/context";
import type { Runtime } from "@/server/process/runtime";
import { forgetDevicesOf } from "./devices";
import { clearClients, removeOver } from "./retention-store";

/** So long an ended session answers that it has ended, rather than that it never was. */
const keptMs = 90 * 86_400_000;

/** Removes up to `limit` sessions that have been over for long enough, with their tokens; their number. */
export const removeOldSessions = (runtime: Runtime, limit: number): Promise<number> =>
  runtime.db.write((tx) => removeOver(tx, runtime.clock.now() - keptMs, limit));

/** Clears the personal data on the sessions of a user who is removed, and forgets its devices. */
export async function forgetClientsOf(ctx: Pick<WriteContext, "db">, userId: string): Promise<void> {
  await clearClients(ctx.db, userId);
  await forgetDevicesOf(ctx, userId);
}
