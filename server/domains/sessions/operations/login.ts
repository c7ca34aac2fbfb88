// POST /v1/auth/login: exchanges an e-mail address and a password for a token pair.
import { rules } from "@/server/access/rules";
import { saga } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import { admit, countAttempt, verifyCredentials } from "../credentials";
import type { DeviceHint } from "../devices";
import { openApiSession } from "../open";
import { loginInput, loginOutput } from "../schema";

export const login = saga({
  id: "sessions.login",
  summary: "Authenticate user",
  description:
    "Verifies the credentials and opens a session. Unknown users, wrong passwords and removed users get the same " +
    "response in the same time. A user with a second factor also sends a one-time code; a user who has only passkeys " +
    "can sign in only in the dashboard. If the organization requires a second factor that the user lacks, every " +
    "operation except signing out is refused with `mfa_enrollment_required`. Sign-ins are limited per user, IP address " +
    "and device.",
  access: rules["sessions.login"],
  rest: { method: "POST", path: "/v1/auth/login" },
  input: loginInput,
  output: loginOutput,
  errors: { invalid_credentials: 400, mfa_required: 400, invalid_otp: 400, account_closed: 400 },
  // Each sign-in opens its own session, and storing the response would store a secret.
  idempotent: false,
  ignoresUnknownFields: true,
  begin: ({ ctx, input }) => countAttempt(ctx, input, hintOf(input)),
  perform: ({ ctx, input, intent }) => verifyCredentials(ctx, input, intent),
  async finish({ ctx, input, intent, outcome, failAfterCommit }) {
    const attempt = { email: input.email, otp: input.otp ?? null, counted: intent, verified: outcome };
    const user = await admit(ctx, attempt, hintOf(input), failAfterCommit);
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

const hintOf = ({ device_id }: { device_id?: string | undefined }): DeviceHint => ({
  kind: "api",
  deviceId: device_id ?? null,
});
