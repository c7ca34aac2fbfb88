// Wire schemas for signing in and for sessions.
import * as z from "zod";
import { sessionKinds, sessionStatuses } from "@/db/schema/values";
import { oneTimeCode } from "@/server/domains/factors/schema";
import { anyOf, email, id, idOut, listParameters, page, text, timestamp } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { givenPassword } from "@/server/secrets/password";

const sessionId = idOut("ses", "Identifier of the session.");
const userId = idOut("usr", "Identifier of the user.");
const accessToken = z.string().meta({ description: "Sent as `Authorization: Bearer` with every call." });
const refreshToken = z.string().meta({ description: "Exchanged for a new access token." });

const device = {
  device_id: text(limits.deviceId).optional().meta({
    description: "Identifier of the client device. The first one seen is bound to the session.",
  }),
  client_version: text(limits.clientVersion).optional().meta({ description: "Version of the client application." }),
};

// Signing in, refreshing and invalidating ignore unknown fields: their objects are not strict.

export const loginInput = z
  .object({ email, password: givenPassword, otp: oneTimeCode.optional(), ...device })
  .meta({ id: "Login" });

export const loginOutput = z
  .strictObject({
    access_token: accessToken,
    refresh_token: refreshToken,
    expires_at: timestamp.meta({ description: "When the access token expires." }),
    refresh_token_expires_at: timestamp.meta({ description: "When the refresh token expires." }),
    session_id: sessionId,
  })
  .meta({ id: "TokenPair" });

export const refreshInput = z
  .object({
    ...device,
    rotate_refresh_token: z.boolean().default(true).meta({
      description: "Whether a new refresh token is issued. If not, the one that was sent stays valid.",
    }),
  })
  .meta({ id: "Refresh" });

export const refreshOutput = loginOutput
  .extend({
    refresh_token_expires_at: timestamp.optional().meta({
      description: "When the new refresh token expires; left out if none was issued.",
    }),
  })
  .meta({ id: "RefreshedTokens" });

const namedSession = {
  session_id: z.string().max(limits.id).optional().meta({
    description: "The session to invalidate. Default: the session of the access token.",
    example: "ses_01kacz7q4v8n2j5s6t3w9x0y1r",
  }),
  reason: z.string().max(limits.reason).optional().meta({
    description:
      "Why: user_logout, logout_everywhere, device_lost, credentials_compromised (ends all sessions of the user), suspicious_activity, password_changed, admin_action or other; any other text is stored with the reason `other`.",
    example: "device_lost",
  }),
};

export const invalidateInput = z.object(namedSession).meta({ id: "InvalidateSession" });

export const invalidateOutput = z
  .strictObject({
    success: z.boolean().meta({ description: "Whether the session was invalidated." }),
    invalidated_session_id: sessionId,
    revoked_tokens: z.int().meta({ description: "Number of live tokens that were revoked." }),
    revoked_at: timestamp,
  })
  .meta({ id: "InvalidatedSession" });

const session = {
  session_id: sessionId,
  user_id: userId,
  kind: z.enum(sessionKinds).meta({ description: "`api`: a token pair; `cookie`: the dashboard." }),
  status: z.enum(sessionStatuses).meta({ description: "`ended` by an operation; an expired session stays `active`." }),
  is_current: z.boolean().meta({ description: "Whether this call uses the session." }),
  device_id: z.string().nullable(),
  device_anomalies: z.int().meta({ description: "Exchanges that named a device other than the bound one." }),
  client_version: z.string().nullable(),
  ip: z.string().nullable().meta({ description: "IP address of the sign-in." }),
  user_agent: z.string().nullable(),
  created_at: timestamp,
  last_seen_at: timestamp.meta({ description: "Last use, accurate to a minute." }),
  expires_at: timestamp.meta({ description: "When the session expires, unless it ends earlier." }),
  ended_at: timestamp.nullable(),
  end_reason: z.string().nullable(),
  end_reason_text: z.string().nullable(),
  revoked_tokens: z.int().nullable(),
};

export const sessionRecord = z.strictObject(session).meta({ id: "Session" });

export const listSessionsInput = z.strictObject({
  user_id: id("usr", "The user whose sessions to list; the caller by default.").optional(),
  status: anyOf(sessionStatuses).optional(),
  ...listParameters,
});

export const sessionPage = page(sessionRecord);

export const signInInput = z.object({ email, password: givenPassword, otp: oneTimeCode.optional() });

export const signInOutput = z.strictObject({
  session_id: sessionId,
  user_id: userId,
  role: z.string(),
  expires_at: timestamp.meta({ description: "When the session expires if it is not used." }),
});

export const signOutOutput = z.strictObject({ success: z.boolean() });
