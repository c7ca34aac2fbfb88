// Ends all sessions of a user, or all but the one that calls, from the dashboard.
import * as z from "zod";
import { checkMay } from "@/server/access/may";
import { rules } from "@/server/access/rules";
import { showsUser } from "@/server/access/scope";
import { userId } from "@/server/domains/users/schema";
import { findUser, lockUsers } from "@/server/domains/users/store";
import { userOf } from "@/server/kit/identity";
import { operation } from "@/server/kit/operation";
import { endSessions } from "../end";

export const endAllSessions = operation({
  id: "sessions.endAll",
  summary: "End all sessions of a user",
  access: rules["sessions.endAll"],
  concernsOthers: ({ user_id }, actor) => user_id !== userOf(actor)?.userId,
  effect: "write",
  input: z.strictObject({
    user_id: userId,
    keeps_current: z.boolean().meta({ description: "Whether the calling session continues." }),
  }),
  output: z.strictObject({ user_id: z.string(), revoked_sessions: z.int(), revoked_tokens: z.int() }),
  errors: { user_not_found: 400, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    const { user_id: id } = input;
    if (!showsUser(ctx.actor, id) || !(await findUser(ctx.db, ctx.scope.organizationId, id))) {
      return fail("user_not_found");
    }
    checkMay("sessions.endAll", ctx.actor, fail, { ownerUserId: id });
    // Signing in waits for this lock.
    await lockUsers(ctx.db, [id]);
    const caller = userOf(ctx.actor);
    const except = input.keeps_current ? (caller?.sessionId ?? null) : null;
    const reason = caller?.userId === id ? "logout_everywhere" : "admin_action";
    const ended = await endSessions(ctx, { userId: id, except }, reason);
    ctx.audit({ target: id, detail: { reason, revoked_sessions: ended.sessions, revoked_tokens: ended.tokens } });
    return { user_id: id, revoked_sessions: ended.sessions, revoked_tokens: ended.tokens };
  },
});
