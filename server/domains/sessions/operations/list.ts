// GET /v1/auth/sessions: the current and past sessions of a user.
import { checkMay } from "@/server/access/may";
import { rules } from "@/server/access/rules";
import { findUser } from "@/server/domains/users/store";
import type { ReadContext } from "@/server/kit/context";
import { userOf } from "@/server/kit/identity";
import { type Fail, operation } from "@/server/kit/operation";
import { pageOf } from "@/server/kit/page";
import { exactly } from "@/server/kit/totals";
import { countSessions, listSessions as findSessions, type SessionFilters } from "../list-store";
import { presentSession } from "../present";
import { listSessionsInput, sessionPage } from "../schema";

export const listSessions = operation({
  id: "sessions.list",
  summary: "List sessions",
  description:
    "The caller's own sessions, newest first. Admins may name any user of their organization; API keys see the sessions of all its users.",
  access: rules["sessions.read"],
  effect: "read",
  rest: { method: "GET", path: "/v1/auth/sessions", extension: true },
  input: listSessionsInput,
  output: sessionPage,
  errors: { user_not_found: 400, insufficient_permissions: 400, invalid_cursor: 400 },
  async run({ ctx, input, fail }) {
    const filters: SessionFilters = { userId: await subjectOf(ctx, input.user_id, fail), status: input.status };
    const currentId = userOf(ctx.actor)?.sessionId ?? null;
    // Naming oneself and naming no user return the same list.
    const withUser = { ...input, user_id: filters.userId };
    return pageOf(ctx.runtime.keys, withUser, fail, {
      list: "sessions",
      rows: (position, limit) => findSessions(ctx.db, ctx.scope, filters, position, limit),
      total: () => exactly(countSessions(ctx.db, ctx.scope, filters)),
      present: (rows) => rows.map((row) => presentSession(row, currentId)),
    });
  },
});

/** The user whose sessions to list; null for all that an API key sees. */
async function subjectOf(
  ctx: ReadContext,
  named: string | undefined,
  fail: Fail<"user_not_found" | "insufficient_permissions">,
): Promise<string | null> {
  const own = userOf(ctx.actor)?.userId ?? null;
  if (named === undefined || named === own) return own;
  // A member learns nothing about other users, not even whether they exist.
  checkMay("sessions.read.others", ctx.actor, fail);
  return (await findUser(ctx.db, ctx.scope.organizationId, named)) ? named : fail("user_not_found");
}
