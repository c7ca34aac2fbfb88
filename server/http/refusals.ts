// Responses to requests that get no further than the HTTP server: two fields, not cacheable, and the connection closes.
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type ErrorCode, errorMeanings, type HttpRefusal, protocolErrors } from "@/server/kit/errors";
import { limits } from "@/server/kit/limits";
import { protectiveHeaders } from "@/server/kit/protective-headers";
import { requestIdOf } from "./request-id";

const bodyOf = (code: ErrorCode, description: string) =>
  JSON.stringify({ error_code: code, error_description: description });

const headersOf = (body: string, requestId: string) => ({
  "Content-Type": "application/json; charset=utf-8",
  "Content-Length": String(Buffer.byteLength(body)),
  "Request-Id": requestId,
  ...protectiveHeaders,
  Connection: "close",
});

/** Responds without reading the body, and closes. */
export function refuse(
  response: ServerResponse,
  refusal: HttpRefusal,
  requestId = requestIdOf(response.req.headers["request-id"]),
): void {
  const { code, description = errorMeanings[code], headers, delayMs = 0 } = refusal;
  if (delayMs > 0) {
    setTimeout(() => refuse(response, { ...refusal, delayMs: 0 }, requestId), delayMs);
    return;
  }
  const body = bodyOf(code, description);
  response.writeHead(protocolErrors[code], { ...headersOf(body, requestId), ...headers });
  response.end(body);
}

/** Whether anyone can still receive a response. */
export const canAnswerBroken = ({ code }: Error & { code?: string }, { writable }: Socket): boolean =>
  writable && code !== "ECONNRESET";

/** Node's parser emits no request for invalid HTTP, so the response is written to the socket directly. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  const [status, description] = brokenRequest(error.code);
  const body = bodyOf("invalid_request", description);
  const lines = Object.entries(headersOf(body, requestIdOf(null))).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
}

function brokenRequest(code: string | undefined): [status: string, description: string] {
  if (code === "HPE_HEADER_OVERFLOW") {
    return ["431 Request Header Fields Too Large", `The headers are larger than ${limits.headerBytes} bytes.`];
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return ["408 Request Timeout", "The request did not arrive in time."];
  return ["400 Bad Request", "The request is not valid HTTP/1.1."];
}
