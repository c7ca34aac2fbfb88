// After a restore the database is in an earlier state: what was ended, revoked or used since is valid again.
import { deleteOffers } from "@/server/domains/addresses/store";
import { revokeInvitations } from "@/server/domains/invitations/revoke";
import { holdQueued } from "@/server/domains/mails/store";
import { listOrganizations } from "@/server/domains/organizations/store";
import { skipDue } from "@/server/domains/payments/reminder-moves";
import { inBackground } from "@/server/domains/records/in-background";
import { endSessions } from "@/server/domains/sessions/end";
import { deleteAllResets } from "@/server/domains/sessions/reset-store";
import { findActiveInOrganization } from "@/server/domains/sessions/store";
import { deleteAllCardLinks } from "@/server/domains/subscriptions/card-link-store";
import { pauseDue } from "@/server/domains/subscriptions/pause-due";
import type { WriteContext } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";

interface Restored {
  /** The file that was restored, as the audit log names it. */
  backup: string;
  /**
   * Whether to keep sessions, links, invitations and queued mails as they are: nothing has happened since the backup,
   * for instance on a move.
   */
  keepSessions: boolean;
  /** What is wrong with the ledger, if the operator restored it all the same. */
  fault?: string | null;
}

/**
 * Records the restore in every organization's audit log. Unless they are to be kept, ends all sessions, removes
 * all links that reset a password, verify an address or change it, or change a card, and revokes all open invitations, because some were
 * ended, used or revoked since for a reason that the database no longer knows. Holds all queued mails, skips
 * reminders that are due, and pauses subscriptions whose next charge is due: all that may have happened since. Links that undo a changed address stay: they help the owner of the earlier address. Returns the
 * number of sessions. Call it before the restored database serves anyone.
 */
export async function recordRestore(runtime: Runtime, { backup, keepSessions, fault }: Restored): Promise<number> {
  const size = limits.batch.endSessions;
  let count = 0;
  for (const { id } of await listOrganizations(runtime.db.read)) {
    for (let isMore = true; isMore; ) {
      const ended = await inBackground(runtime, "database.restore", async (ctx) => {
        // Also those that seem to have expired: if this machine's clock is fast, they are valid again once it is right.
        const ids = keepSessions ? [] : await findActiveInOrganization(ctx.db, id, size);
        const { sessions, tokens } = await endSessions(ctx, { sessionIds: ids }, "database_restored");
        if (!keepSessions) await endLinks(ctx, id);
        const queued = { organizationId: id, reason: "database_restored", now: ctx.now, limit: size };
        const mails = keepSessions ? 0 : await holdQueued(ctx.db, queued);
        const paused = keepSessions ? 0 : await pauseDue(ctx, id, size);
        const skipped = keepSessions ? 0 : await skipDue(ctx, id, size);
        const pauses = paused === 0 ? {} : { paused_subscriptions: paused };
        const detail = {
          backup,
          sessions,
          revoked_tokens: tokens,
          held_mails: mails,
          ...pauses,
          ...(fault ? { fault } : {}),
        };
        const alarm = fault ? "a database whose ledger is not sound was restored" : "the database was restored";
        ctx.audit({ target: id, organizationId: id, detail, alarm });
        return { sessions, mails, paused, skipped };
      });
      count += ended.sessions;
      isMore = [ended.sessions, ended.mails, ended.paused, ended.skipped].includes(size);
    }
  }
  return count;
}

async function endLinks(ctx: WriteContext, organizationId: string): Promise<void> {
  await deleteAllResets(ctx.db);
  await deleteOffers(ctx.db);
  await deleteAllCardLinks(ctx.db);
  await revokeInvitations(ctx, { organizationId }, "database_restored");
}
