// Signs in to the dashboard: the same credentials and limits as the API, but a cookie instead of a token pair.
import { rules } from "@/server/access/rules";
import type { UserRow } from "@/server/domains/users/store";
import type { WriteContext } from "@/server/kit/context";
import { saga } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import { hashToken, parseToken } from "@/server/secrets/secret";
import { sessionCookie } from "../cookie";
import { admit, countAttempt, verifyCredentials } from "../credentials";
import { endSessions } from "../end";
import { openCookieSession } from "../open";
import { signInInput, signInOutput } from "../schema";
import { findCredential } from "../token-store";

/** A browser is identified by its device cookie. */
const browser = { kind: "cookie" } as const;

export const signIn = saga({
  id: "sessions.signIn",
  summary: "Sign in to the dashboard",
  access: rules["sessions.login"],
  input: signInInput,
  output: signInOutput,
  errors: { invalid_credentials: 400, mfa_required: 400, invalid_otp: 400, account_closed: 400 },
  idempotent: false,
  begin: ({ ctx, input }) => countAttempt(ctx, input, browser),
  perform: ({ ctx, input, intent }) => verifyCredentials(ctx, input, intent),
  async finish({ ctx, input, intent, outcome, failAfterCommit }) {
    const attempt = { email: input.email, otp: input.otp ?? null, counted: intent, verified: outcome };
    const user = await admit(ctx, attempt, browser, failAfterCommit);
    return openDashboard(ctx, user);
  },
});

/** Opens a dashboard session in place of the browser's earlier one. The caller has locked the user. */
export async function openDashboard(ctx: WriteContext, user: UserRow, detail: Record<string, unknown> = {}) {
  await endReplaced(ctx);
  const { sessionId, token, expiresAt } = await openCookieSession(ctx, user);
  ctx.audit({
    target: sessionId,
    organizationId: user.organizationId,
    actor: { type: "user", id: user.id },
    detail: { outcome: "opened", ...detail },
  });
  ctx.request.setCookie(sessionCookie(ctx.runtime.env, token));
  return { session_id: sessionId, user_id: user.id, role: user.role, expires_at: iso(expiresAt) };
}

/** Ends the browser's earlier session, whose cookie the new one replaces (ASVS 7.2.4). */
async function endReplaced(ctx: WriteContext): Promise<void> {
  const token = parseToken("cookie", ctx.request.cookie ?? "");
  const earlier = token === null ? undefined : await findCredential(ctx.db, hashToken(token));
  if (earlier) await endSessions(ctx, { sessionIds: [earlier.session.id] }, "replaced");
}
