// A page's request as operations see it: the session cookie is the only credential.
import type { CallRequest } from "@/server/kit/context";
import { newId } from "@/server/kit/ids";
import { limits } from "@/server/kit/limits";
import { namedCaller } from "@/server/kit/peer";
import type { Runtime } from "@/server/kit/runtime";
import { readSessionCookie } from "@/server/sessions/cookie";

/** `signal` fires when the browser has gone. */
export function callRequestOf(headers: Headers, { env, clock }: Runtime, signal: AbortSignal): CallRequest {
  const now = clock.now();
  return {
    requestId: newId("req", now),
    bearer: null,
    cookie: readSessionCookie(env, headers.get("cookie")),
    ip: namedCaller(headers),
    userAgent: headers.get("user-agent")?.slice(0, limits.userAgent) ?? null,
    idempotencyKey: keyOf(headers),
    ifMatch: headers.get("if-match"),
    ifNoneMatch: null,
    receivedAt: now,
    signal,
    answerHeaders: {},
  };
}

function keyOf(headers: Headers): string | null {
  const key = headers.get("idempotency-key");
  return key !== null && /^[\x21-\x7e]{1,255}$/.test(key) ? key : null;
}
