// Turns the credential of a call into its actor. Nothing else decides who the caller is.
import { lackedFactor } from "@/server/access/factor";
import { findByHash, noteKeyUse } from "@/server/domains/api-keys/store";
import type { Actor, CallRequest } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import { noteUse } from "@/server/kit/note-use";
import { addressTest } from "@/server/kit/peer";
import type { Runtime } from "@/server/process/runtime";
import { hashToken, parseToken } from "@/server/secrets/secret";
import { sessionKeeper } from "./lucia";
import { noteUse as noteSessionUse } from "./store";
import { endReplay, findCaller } from "./token-store";

/**
 * The caller and how far the clock of its organization is ahead, or the problem with the credential: not sent, unknown,
 * expired, or its session ended.
 */
type Authentication =
  | { actor: Actor; clockOffsetMs: number }
  | { problem: "missing" | "invalid" | "expired" | "ended" }
  /** The credential is genuine, but this API key may not be used from the caller's address. */
  | { problem: "elsewhere"; actor: Actor };

/**
 * The token of an Authorization header: exactly one credential of the Bearer scheme, at most 512 bytes. The scheme is
 * case-insensitive (RFC 9110 section 11.1). Null for anything else.
 */
export function bearerToken(header: string | null): string | null {
  if (header === null || header.length > limits.authorizationHeader) return null;
  return /^bearer +([A-Za-z0-9_]+)$/i.exec(header.trim())?.[1] ?? null;
}

/**
 * Identifies the caller at `now` (epoch ms). If there is an Authorization header, even a broken one, it is the
 * credential; otherwise the dashboard's cookie is. Each accepts only its own kinds of token.
 */
export async function authenticate(runtime: Runtime, request: CallRequest, now: number): Promise<Authentication> {
  if (request.bearer !== null) {
    const text = bearerToken(request.bearer) ?? "";
    const access = parseToken("access", text);
    if (access !== null) return bySession(runtime, access, "access", now);
    const key = parseToken("apiKey", text);
    return key === null ? { problem: "invalid" } : byApiKey(runtime, key, request.ip, now);
  }
  if (request.cookie === null) return { problem: "missing" };
  const cookie = parseToken("cookie", request.cookie);
  return cookie === null ? { problem: "invalid" } : bySession(runtime, cookie, "cookie", now);
}

async function bySession(
  runtime: Runtime,
  text: string,
  kind: "access" | "cookie",
  now: number,
): Promise<Authentication> {
  const hash = hashToken(text);
  const caller = await findCaller(runtime.db.read, hash);
  if (caller?.token.kind !== kind) return { problem: "invalid" };
  const { token, session, user, emailVerifiedAt, mfaEnabled, requireMfa, clockOffsetMs } = caller;
  const state = await sessionKeeper.stateOf(caller, now);
  if (state !== "live") return { problem: state };
  if (token.revokedAt !== null) return { problem: "ended" };
  if (now >= token.expiresAt) return { problem: "expired" };
  // Before the call proceeds: a pair that has been used is never replayed. This costs one write per exchange.
  if (token.replayUntil !== null && now < token.replayUntil) await runtime.db.write((tx) => endReplay(tx, hash));
  const idleUntil = session.idleUntil === null ? null : now + runtime.env.dashboardSessionIdleMs;
  noteUse(runtime, { id: session.id, lastAt: session.lastSeenAt }, now, (tx) =>
    noteSessionUse(tx, session.id, now, idleUntil),
  );
  const { organizationId, authenticatedAt, id: sessionId, kind: sessionKind } = session;
  const { id: userId, role } = user;
  const unverified = emailVerifiedAt === null ? ({ hasUnverifiedEmail: true } as const) : {};
  const known = { userId, organizationId, role, sessionId, sessionKind, authenticatedAt, ...unverified };
  const actor: Actor = { type: "user", ...known, ...lackedFactor(requireMfa, { role, mfaEnabled }) };
  return { actor, clockOffsetMs: clockOffsetMs ?? 0 };
}

async function byApiKey(runtime: Runtime, text: string, ip: string | null, now: number): Promise<Authentication> {
  const key = await findByHash(runtime.db.read, hashToken(text));
  // Revoking counts at once, even for a process whose clock is behind.
  if (!key || key.revokedAt !== null) return { problem: "invalid" };
  if (key.isPrevious && (key.previousUntil === null || now >= key.previousUntil)) return { problem: "invalid" };
  if (key.expiresAt !== null && now >= key.expiresAt) return { problem: "expired" };
  const { id: keyId, organizationId, scopes, accountId } = key;
  const actor = { type: "api_key", keyId, organizationId, scopes, accountId } as const;
  if (key.ipAllow !== null && !addressTest(key.ipAllow)(ip)) return { problem: "elsewhere", actor };
  noteUse(runtime, { id: keyId, lastAt: key.lastUsedAt }, now, (tx) => noteKeyUse(tx, keyId, now));
  return { actor, clockOffsetMs: key.clockOffsetMs ?? 0 };
}
