// Ends sessions and revokes their tokens, with one event per session. Nothing else ends a session.
import type { ReadContext, WriteContext } from "@/server/kit/context";
import { idOf } from "@/server/kit/identity";
import { countLiveOfAccount } from "./list-store";
import { sessionKeeper } from "./lucia";
import { presentEnd } from "./present";
import type { EndReason, StatedReason } from "./rules";
import { findActiveIds, lockSessions } from "./store";
import { revokeTokens } from "./token-store";

/** Which sessions end: the named ones, all of a user except one, or all of several users. */
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
 * Ends the sessions that have not ended yet and revokes their tokens. After the commit none of them is accepted. To end
 * all sessions of a user, lock the user first: signing in waits for the lock, so no new session opens meanwhile.
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

/** The number of live sessions of the account's users. */
export const sessionCountOf = ({ db, now }: ReadContext, accountId: string): Promise<number> =>
  countLiveOfAccount(db, accountId, now);

async function idsOf({ db }: Pick<WriteContext, "db">, which: Which): Promise<readonly string[]> {
  if ("sessionIds" in which) return [...which.sessionIds].sort();
  const userIds = "userId" in which ? [which.userId] : which.userIds;
  const except = "userId" in which ? which.except : null;
  return (await findActiveIds(db, userIds)).filter((id) => id !== except).sort();
}
