// What may reach the pages' framework: known methods, no body where none is read, none of its own back doors.
import type { IncomingMessage, ServerResponse } from "node:http";
import { type HttpRefusal, protectiveHeaders } from "@/server/kit/http-refusals";
import { limits } from "@/server/kit/limits";

/** Paths whose handlers read a body, within bounds of their own. */
const TAKES_BODY = /^\/api\/trpc\//;

/** Pages are read; only their calls are sent. */
const methodsOf = (path: string) => (TAKES_BODY.test(path) ? ["GET", "HEAD", "POST"] : ["GET", "HEAD"]);

/**
 * Why a request must not reach the pages, or null. Next keeps a copy of every body that it is given, up to 10 MB and for
 * as long as its sender likes: so none gets there whose size is not known and small.
 */
export function faultOfPageRequest(request: IncomingMessage, path: string): HttpRefusal | null {
  if (path.startsWith("/_next/") && !path.startsWith("/_next/static/")) return { code: "unknown_path" };
  const methods = methodsOf(path);
  if (!methods.includes(request.method ?? "")) {
    return { code: "method_not_allowed", headers: { Allow: methods.join(", ") } };
  }
  const { "content-length": length = "0", "transfer-encoding": coding } = request.headers;
  if (coding !== undefined)
    return { code: "invalid_request", description: "A body must come with its Content-Length." };
  const most = request.method === "POST" ? limits.bodyBytes : 0;
  return Number(length) > most ? { code: "payload_too_large", ...tooLarge(most) } : null;
}

const tooLarge = (most: number) => (most > 0 ? {} : { description: "This path takes no body." });

/** Adds, when the head is written, the headers that the pages' framework leaves out on answers of its own. */
export function completeHeaders(response: ServerResponse): void {
  const writeHead = response.writeHead;
  response.writeHead = function complete(...given: Parameters<typeof writeHead>) {
    for (const [name, value] of Object.entries(protectiveHeaders)) {
      if (name !== "Cache-Control" && !response.hasHeader(name)) response.setHeader(name, value);
    }
    const type = response.getHeader("Content-Type");
    if (typeof type === "string" && /^(?:text\/[\w.+-]+|application\/json)$/.test(type)) {
      response.setHeader("Content-Type", `${type}; charset=utf-8`);
    }
    return writeHead.apply(response, given);
  } as typeof writeHead;
}
