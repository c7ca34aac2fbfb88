// Signs out of the dashboard: ends the session and clears the cookie.
import * as z from "zod";
import { dashboardUser } from "@/server/access/fresh";
import { rules } from "@/server/access/rules";
import { operation } from "@/server/kit/operation";
import { sessionCookie } from "../cookie";
import { endSessions } from "../end";
import { signOutOutput } from "../schema";

export const signOut = operation({
  id: "sessions.signOut",
  summary: "Sign out of the dashboard",
  access: rules["sessions.signOut"],
  effect: "write",
  input: z.strictObject({}),
  output: signOutOutput,
  errors: { insufficient_permissions: 400 },
  async run({ ctx, fail }) {
    const { sessionId } = dashboardUser(ctx.actor) ?? fail("insufficient_permissions");
    const ended = await endSessions(ctx, { sessionIds: [sessionId] }, "user_logout");
    ctx.audit({ target: sessionId, detail: { reason: "user_logout", tokens: ended.tokens } });
    ctx.request.setCookie(sessionCookie(ctx.runtime.env, null));
    return { success: true };
  },
});
