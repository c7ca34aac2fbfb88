// Ending sessions: the one place where it happens, with their tokens, the count of them, and an event for each.
import type { ReadContext, WriteContext } from "@/server/kit/context";
import { idOf } from "@/server/kit/identity";
import { sessionKeeper } from "./lucia";
import { presentEnd } from "./present";
import type { EndReason, StatedReason } from "./rules";
import { countStandingOfAccount, findActiveIds, lockSessions } from "./store";
import { revokeTokens } from "./token-store";

/** Whose sessions end: named ones, all of a user but one, or all of several users. */
export type Which =
  | { sessionIds: readonly string[] }
  | { userId: string; except?: string | null }
  | { userIds: readonly string[] };

export interface Ended {
  sessions: number;
  /** Tokens that were still live: neither expired, spent nor revoked. */
  tokens: number;
}

/**
 * Ends the sessions that have not ended yet, and revokes their tokens. From the commit on none of them is accepted. To
 * end all of a user, lock its row first: signing in waits for it, so no new session opens meanwhile.
 */
export async function endSessions(
  ctx: Pick<WriteContext, "db" | "now" | "actor" | "emit">,
  which: Which,
  why: EndReason | StatedReason,
): Promise<Ended> {
  const { reason, text } = typeof why === "string" ? { reason: why, text: null } : why;
  const ids = await idsOf(ctx, which);
  await lockSessions(ctx.db, ids);
  const ended: Ended = { sessions: 0, tokens: 0 };
  for (const id of ids) {
    const revokedTokens = await revokeTokens(ctx.db, id, ctx.now);
    const row = await sessionKeeper.end(ctx.db, id, {
      endedAt: ctx.now,
      endReason: reason,
      endReasonText: text,
      endedBy: idOf(ctx.actor),
      revokedTokens,
    });
    if (!row) continue;
    const { organizationId } = row;
    ctx.emit({ type: "session.invalidated", object: id, organizationId, data: presentEnd(row) });
    ended.sessions++;
    ended.tokens += revokedTokens;
  }
  return ended;
}

/** How many sessions of the account's users stand now. */
export const sessionCountOf = ({ db, now }: ReadContext, accountId: string): Promise<number> =>
  countStandingOfAccount(db, accountId, now);

async function idsOf({ db }: Pick<WriteContext, "db">, which: Which): Promise<readonly string[]> {
  if ("sessionIds" in which) return [...which.sessionIds].sort();
  const userIds = "userId" in which ? [which.userId] : which.userIds;
  const except = "userId" in which ? which.except : null;
  return (await findActiveIds(db, userIds)).filter((id) => id !== except).sort();
}
