// Finds the part of the server that a request is for, and faults that refuse it regardless of the sender.
import type { IncomingMessage } from "node:http";
import type { HttpRefusal } from "@/server/kit/errors";
import { bodyBytesOf } from "./body-bytes";
import type { Surface } from "./entrance";
import { faultOfPageRequest } from "./page-requests";
import { isNormalPath, pathOf } from "./path";

/** Answered by our own server alone, and only to those who may read it: see unlimited.ts. */
export const metricsPath = "/metrics";

const noHost: HttpRefusal = { code: "invalid_request", description: "The Host header is missing." };
const notNormal: HttpRefusal = { code: "invalid_request", description: "The path is not in its normal form." };

/** Why a request is refused regardless of the caller, or null. */
export function faultOf(request: IncomingMessage): HttpRefusal | null {
  if (lacksHost(request)) return noHost;
  const surface = surfaceOf(request);
  const path = pathOf(request.url ?? "/");
  // REST refuses such paths itself, under every host.
  if (surface !== "rest" && !isNormalPath(path)) return notNormal;
  if (expectsContinue(request) && Number(request.headers["content-length"]) > bodyBytesOf(path)) {
    return { code: "payload_too_large" };
  }
  if (path === metricsPath) return refusalOfMetrics(request);
  return surface === "pages" ? faultOfPageRequest(request, path) : null;
}

/** The answer at /metrics to everything but a GET, without a body, of someone who may read it. */
function refusalOfMetrics(request: IncomingMessage): HttpRefusal {
  if (!["GET", "HEAD"].includes(request.method ?? "")) {
    return { code: "method_not_allowed", headers: { Allow: "GET, HEAD" } };
  }
  if (hasBody(request)) return { code: "invalid_request", description: "This path accepts no body." };
  return {
    code: "unauthorized",
    description: "Send METRICS_TOKEN as the bearer token. If it is not set, only programs on this machine may read.",
    headers: { "WWW-Authenticate": "Bearer" },
  };
}

/** Whether the headers announce a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";

/** The addresses of hosted pages. Those without a secret in them have no path below. */
const hostedPages =
  /^\/(?:pay|logo|sandbox|reset-password|forgot-password|card|email|invitation|sign-up|\.well-known\/(?:change-password|security\.txt))(?:[/?]|$)/;

/** The part of the server that answers the request's path. */
export function surfaceOf({ url = "/" }: IncomingMessage): Surface {
  if (/^\/v1(?:[/?]|$)/.test(url)) return "rest";
  return hostedPages.test(url) ? "hosted" : "pages";
}

/** Whether the sender waits for 100 Continue before it sends the body (RFC 9110, 10.1.1). */
export const expectsContinue = ({ headers, httpVersion }: IncomingMessage) =>
  httpVersion === "1.1" && /^100-continue$/i.test(headers.expect ?? "");

/** Whether the Host header is missing, which HTTP/1.1 requires (RFC 9112, section 3.2). */
export const lacksHost = ({ headers, httpVersion }: IncomingMessage) =>
  headers.host === undefined && httpVersion === "1.1";
