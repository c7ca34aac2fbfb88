// DELETE /v1/auth/session: ends a session and revokes its tokens.
import { checkMay, may } from "@/server/access/may";
import { rules } from "@/server/access/rules";
import type { WriteContext } from "@/server/kit/context";
import { protocolFailure } from "@/server/kit/errors";
import { userOf } from "@/server/kit/identity";
import { type Fail, operation } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import { endSessions, type Which } from "../end";
import { statedReason } from "../rules";
import { invalidateInput, invalidateOutput } from "../schema";
import { findSession, lockSessions, type SessionRow } from "../store";

export const invalidateSession = operation({
  id: "sessions.invalidate",
  summary: "Invalidate session",
  description:
    "Ends the session of the access token, or the named one. After the response none of its tokens is accepted. The reason `credentials_compromised` ends all sessions of the user.",
  access: rules["sessions.invalidate"],
  concernsOthers: ({ session_id }, actor) => session_id !== undefined && session_id !== userOf(actor)?.sessionId,
  effect: "write",
  rest: { method: "DELETE", path: "/v1/auth/session", queryFields: ["session_id", "reason"] },
  input: invalidateInput,
  output: invalidateOutput,
  errors: {
    unauthorized: 401,
    session_not_found: 401,
    session_already_invalidated: 401,
    insufficient_permissions: 401,
  },
  ignoresUnknownFields: true,
  async run({ ctx, input, fail }) {
    const session = await lockedSession(ctx, input.session_id ?? ownSessionId(ctx), fail);
    const stated = statedReason(input.reason, {
      isAdmin: may("sessions.invalidate.asAdmin", ctx.actor),
      isOwn: userOf(ctx.actor)?.userId === session.userId,
    });
    const which: Which =
      stated.reason === "credentials_compromised" ? { userId: session.userId } : { sessionIds: [session.id] };
    const ended = await endSessions(ctx, which, stated);
    ctx.audit({
      target: session.id,
      detail: { reason: stated.reason, sessions: ended.sessions, tokens: ended.tokens },
    });
    return {
      success: true,
      invalidated_session_id: session.id,
      revoked_tokens: ended.tokens,
      revoked_at: iso(ctx.now),
    };
  },
});

function ownSessionId({ actor }: WriteContext): string {
  const user = userOf(actor);
  if (user) return user.sessionId;
  throw protocolFailure("invalid_request", "session_id: is required with an API key");
}

/** The named session, active and locked, if the caller may end it. */
async function lockedSession(
  ctx: WriteContext,
  id: string,
  fail: Fail<"session_not_found" | "session_already_invalidated" | "insufficient_permissions">,
): Promise<SessionRow> {
  const { organizationId, accountId } = ctx.scope;
  const seen = await findSession(ctx.db, organizationId, id);
  if (!seen || (accountId !== null && seen.accountId !== accountId)) return fail("session_not_found");
  checkMay("sessions.invalidate", ctx.actor, fail, { ownerUserId: seen.session.userId });
  await lockSessions(ctx.db, [id]);
  const locked = await findSession(ctx.db, organizationId, id);
  return locked?.session.status === "active" ? locked.session : fail("session_already_invalidated");
}
