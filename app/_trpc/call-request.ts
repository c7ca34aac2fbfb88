// A page's HTTP request as operations see it: the session cookie is the only credential.

import { deviceCookieName, readCookie, sessionCookieName } from "@/server/domains/sessions/cookie";
import { idempotencyKeyOf } from "@/server/http/idempotency-header";
import type { CallRequest } from "@/server/kit/context";
import { newId } from "@/server/kit/ids";
import { limits } from "@/server/kit/limits";
import { namedCaller } from "@/server/kit/peer";
import { requestUnderWay } from "@/server/kit/request-notes";
import type { Runtime } from "@/server/process/runtime";

/** `signal` fires when the browser disconnects; `cookies` receives the cookies that the answer sets. */
export function callRequestOf(
  headers: Headers,
  { env, clock }: Runtime,
  signal: AbortSignal,
  cookies: string[] = [],
): CallRequest {
  const now = clock.now();
  const notes = requestUnderWay(headers);
  return {
    requestId: notes?.requestId ?? newId("req", now),
    notes,
    bearer: null,
    cookie: readCookie(sessionCookieName(env), headers.get("cookie")),
    device: readCookie(deviceCookieName(env), headers.get("cookie")),
    ip: namedCaller(headers),
    userAgent: headers.get("user-agent")?.slice(0, limits.userAgent) ?? null,
    // A getter, because it throws for a malformed key and only writes read it.
    get idempotencyKey() {
      return idempotencyKeyOf(headers);
    },
    ifMatch: headers.get("if-match"),
    ifNoneMatch: null,
    receivedAt: now,
    signal,
    answerHeaders: {},
    setCookie: (cookie) => cookies.push(cookie),
  };
}
