// From the credential that came with a call to the actor that it names. The only place where that is decided.
import type { Actor, CallRequest } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { hashToken, parseToken } from "@/server/secrets/secret";
import { sessionKeeper } from "./lucia";
import { endReplay, findApiKey, findCaller } from "./token-store";
import { inUse } from "./use";

/** Who calls, or what is wrong with the credential: none was sent, it is none of ours, its time is over, its session ended. */
export type Authentication = { actor: Actor } | { problem: "missing" | "invalid" | "expired" | "ended" };

/**
 * The token of an Authorization header, or null: exactly one credential of the Bearer scheme, which is named in any
 * case (RFC 9110 section 11.1), at most 512 bytes.
 */
export function bearerToken(header: string | null): string | null {
  if (header === null || header.length > limits.authorizationHeader) return null;
  return /^bearer +([A-Za-z0-9_]+)$/i.exec(header.trim())?.[1] ?? null;
}

/**
 * Finds out who calls at `now` (epoch ms). An Authorization header is the credential wherever there is one, also a
 * broken one; else the dashboard's cookie is. Each takes only its own kinds of token.
 */
export async function authenticate(runtime: Runtime, request: CallRequest, now: number): Promise<Authentication> {
  if (request.bearer !== null) {
    const text = bearerToken(request.bearer) ?? "";
    const access = parseToken("access", text);
    if (access !== null) return bySession(runtime, access, "access", now);
    const key = parseToken("apiKey", text);
    return key === null ? { problem: "invalid" } : byApiKey(runtime, key, now);
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
  const { token, session, user } = caller;
  const standing = await sessionKeeper.standing(caller, now);
  if (standing !== "standing") return { problem: standing };
  if (token.revokedAt !== null) return { problem: "ended" };
  if (now >= token.expiresAt) return { problem: "expired" };
  // Before the call is let in, so that nobody who has used the pair gets it a second time. One write for each exchange.
  if (token.replayUntil !== null && now < token.replayUntil) await runtime.db.write((tx) => endReplay(tx, hash));
  inUse(runtime, session, now);
  const { organizationId, authenticatedAt, id: sessionId, kind: sessionKind } = session;
  const { id: userId, role } = user;
  return { actor: { type: "user", userId, organizationId, role, sessionId, sessionKind, authenticatedAt } };
}

async function byApiKey(runtime: Runtime, text: string, now: number): Promise<Authentication> {
  const key = await findApiKey(runtime.db.read, hashToken(text));
  // A key that is being replaced has a time in the future at which it is revoked.
  if (!key || (key.revokedAt !== null && now >= key.revokedAt)) return { problem: "invalid" };
  if (key.expiresAt !== null && now >= key.expiresAt) return { problem: "expired" };
  const { id: keyId, organizationId, scopes, accountId } = key;
  return { actor: { type: "api_key", keyId, organizationId, scopes, accountId } };
}
