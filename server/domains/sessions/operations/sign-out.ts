// Signing out of the dashboard: ends the session and takes the cookie back.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { operation } from "@/server/kit/operation";
import { sessionCookie } from "../cookie";
import { endSessions } from "../end";
import { SignOutOutput } from "../schema";

export const signOut = operation({
  id: "sessions.signOut",
  summary: "Sign out of the dashboard",
  access: rules["sessions.invalidate"],
  effect: "write",
  input: z.strictObject({}),
  output: SignOutOutput,
  errors: { insufficient_permissions: 400 },
  async run({ ctx, fail }) {
    if (ctx.actor.type !== "user" || ctx.actor.sessionKind !== "cookie") return fail("insufficient_permissions");
    const { sessionId } = ctx.actor;
    const ended = await endSessions(ctx, { sessionIds: [sessionId] }, "user_logout");
    ctx.audit({ target: sessionId, detail: { reason: "user_logout", tokens: ended.tokens } });
    ctx.request.setCookie(sessionCookie(ctx.runtime.env, null));
    return { success: true };
  },
});
