// POST /v1/auth/login: an e-mail address and a password for a token pair.
import { rules } from "../access/rules";
import { iso } from "../kit/clock";
import { saga } from "../kit/operation";
import { admit, countTry, verifyCredentials } from "./credentials";
import { openApiSession } from "./open";
import { LoginInput, LoginOutput } from "./schema";

export const login = saga({
  id: "sessions.login",
  summary: "Authenticate user",
  description:
    "Verifies the credentials and opens a session. Unknown users, wrong passwords and removed users get the same answer in the same time. Failures are limited per user and per address.",
  access: rules["sessions.login"],
  rest: { method: "POST", path: "/v1/auth/login" },
  input: LoginInput,
  output: LoginOutput,
  errors: { invalid_credentials: 400, account_closed: 400 },
  // Each sign-in opens a session of its own; a stored answer would be a stored secret.
  idempotent: false,
  ignoresUnknownFields: true,
  begin: ({ ctx, input }) => countTry(ctx, input),
  perform: ({ ctx, input }) => verifyCredentials(ctx, input),
  async finish({ ctx, input, outcome, failAfterCommit }) {
    const user = await admit(ctx, input, outcome, failAfterCommit);
    const pair = await openApiSession(ctx, user, {
      deviceId: input.device_id ?? null,
      clientVersion: input.client_version ?? null,
    });
    ctx.audit({
      target: pair.sessionId,
      organizationId: user.organizationId,
      actor: { type: "user", id: user.id },
      detail: { outcome: "opened" },
    });
    return {
      access_token: pair.accessToken,
      refresh_token: pair.refreshToken,
      expires_at: iso(pair.accessExpiresAt),
      refresh_token_expires_at: iso(pair.refreshExpiresAt),
      session_id: pair.sessionId,
    };
  },
});
