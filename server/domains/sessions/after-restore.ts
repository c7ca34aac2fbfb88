// After a restore the database is in an earlier state: sessions that had ended since are valid again, tokens included.
import { holdQueued } from "@/server/domains/mails/store";
import { listOrganizations } from "@/server/domains/organizations/store";
import { inBackground } from "@/server/domains/records/in-background";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { endSessions } from "./end";
import { deleteAllResets } from "./reset-store";
import { findActiveInOrganization } from "./store";

interface Restored {
  /** The file that was restored, as the audit log names it. */
  backup: string;
  /**
   * Whether to keep sessions, reset links and queued mails as they are: nothing has happened since the backup, for
   * instance on a move.
   */
  keepSessions: boolean;
}

/**
 * Records the restore in every organization's audit log. Unless they are to be kept, ends all sessions and removes
 * all reset links, because some were ended or used since for a reason that the database no longer knows, and holds all
 * queued mails, because they may have been sent since. Returns the number of sessions. Call it before the restored
 * database serves anyone.
 */
export async function recordRestore(runtime: Runtime, { backup, keepSessions }: Restored): Promise<number> {
  const size = limits.batch.endSessions;
  let count = 0;
  for (const { id } of await listOrganizations(runtime.db.read)) {
    for (let isMore = true; isMore; ) {
      const ended = await inBackground(runtime, "database.restore", async (ctx) => {
        // Also those that seem to have expired: if this machine's clock is fast, they are valid again once it is right.
        const ids = keepSessions ? [] : await findActiveInOrganization(ctx.db, id, size);
        const { sessions, tokens } = await endSessions(ctx, { sessionIds: ids }, "database_restored");
        if (!keepSessions) await deleteAllResets(ctx.db);
        const queued = { organizationId: id, reason: "database_restored", now: ctx.now, limit: size };
        const mails = keepSessions ? 0 : await holdQueued(ctx.db, queued);
        const detail = { backup, sessions, revoked_tokens: tokens, held_mails: mails };
        ctx.audit({ target: id, organizationId: id, detail, alarm: "the database was restored" });
        return { sessions, mails };
      });
      count += ended.sessions;
      isMore = ended.sessions === size || ended.mails === size;
    }
  }
  return count;
}
