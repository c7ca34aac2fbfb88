// Which part of the server a request is for, and what is wrong with it whoever sends it.
import type { IncomingMessage } from "node:http";
import type { HttpRefusal } from "@/server/kit/errors";
import { limits } from "@/server/kit/limits";
import type { FaceName } from "./entrance";
import { faultOfPageRequest } from "./page-requests";
import { isNormalPath, pathOf } from "./path";

const noHost: HttpRefusal = { code: "invalid_request", description: "The Host header is missing." };
const notNormal: HttpRefusal = { code: "invalid_request", description: "The path is not in its normal form." };

/** Why a request is refused from any caller, or null. */
export function faultOf(request: IncomingMessage): HttpRefusal | null {
  if (lacksHost(request)) return noHost;
  const face = faceOf(request);
  const path = pathOf(request.url ?? "/");
  // The REST face refuses such paths itself, under every host.
  if (face !== "rest" && !isNormalPath(path)) return notNormal;
  if (expectsContinue(request) && Number(request.headers["content-length"]) > limits.bodyBytes) {
    return { code: "payload_too_large" };
  }
  return face === "pages" ? faultOfPageRequest(request, path) : null;
}

export function faceOf({ url = "/" }: IncomingMessage): FaceName {
  if (/^\/v1(?:[/?]|$)/.test(url)) return "rest";
  return /^\/(?:pay|sandbox|reset-password)(?:[/?]|$)/.test(url) ? "hosted" : "pages";
}

/** Whether the sender keeps the body back until it is invited (RFC 9110, 10.1.1). */
export const expectsContinue = ({ headers, httpVersion }: IncomingMessage) =>
  httpVersion === "1.1" && /^100-continue$/i.test(headers.expect ?? "");

export const lacksHost = ({ headers, httpVersion }: IncomingMessage) =>
  headers.host === undefined && httpVersion === "1.1";
