// What may reach Next: known methods, bodies only where they are read, and none of Next's internal paths.
import type { IncomingMessage, ServerResponse } from "node:http";
import { type CallRate, refusalByRate } from "@/server/fairness/rate";
import type { HttpRefusal } from "@/server/kit/errors";
import { newId } from "@/server/kit/ids";
import { callerAddressHeader } from "@/server/kit/peer";
import { protectiveHeaders } from "@/server/kit/protective-headers";
import { requestIdHeader, shareNotes } from "@/server/kit/request-notes";
import { isDraining } from "@/server/process/lifecycle";
import { bodyBytesOf } from "./body-bytes";
import type { Arrival } from "./entrance";
import { pathOf } from "./path";
import { refuse } from "./refusals";

/** What a preview shows is posted, and nothing is there to read. */
const preview = /^\/dashboard\/payment-requests\/preview(\/invoice)?$/;

/** Paths whose handlers read a body, with their own limits. */
const hasBodyAt = (path: string): boolean => path.startsWith("/api/trpc/") || preview.test(path);

/** Pages are only read; tRPC calls are posted, too. */
function methodsOf(path: string): string[] {
  if (preview.test(path)) return ["POST"];
  return hasBodyAt(path) ? ["GET", "HEAD", "POST"] : ["GET", "HEAD"];
}

/**
 * Why a request must not reach the pages, or null. Next buffers every body that it is given, up to 10 MB and for as
 * long as the sender likes, so only bodies of a known, small size get there.
 */
export function faultOfPageRequest(request: IncomingMessage, path: string): HttpRefusal | null {
  if (path.startsWith("/_next/") && !path.startsWith("/_next/static/")) return { code: "unknown_path" };
  const methods = methodsOf(path);
  if (!methods.includes(request.method ?? "")) {
    return { code: "method_not_allowed", headers: { Allow: methods.join(", ") } };
  }
  const { "content-length": length = "0", "transfer-encoding": coding } = request.headers;
  if (coding !== undefined) return { code: "invalid_request", description: "A body requires a Content-Length." };
  const most = request.method === "POST" ? bodyBytesOf(path) : 0;
  return Number(length) > most ? { code: "payload_too_large", ...tooLarge(most) } : null;
}

const tooLarge = (most: number) => ({
  description: most > 0 ? `The body is larger than ${most / 1024} KiB.` : "This path accepts no body.",
});

export type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Passes requests on to Next, counted and in turn, with our own headers. */
export const pageListener =
  ({ pages, rate }: { pages: PageHandler; rate: CallRate | null }) =>
  async (request: IncomingMessage, response: ServerResponse, arrival: Arrival): Promise<void> => {
    const { address, notes } = arrival;
    const path = pathOf(request.url ?? "/");
    notes.isCounted = !hasBodyAt(path);
    const refusal = await refusalByRate(rate, arrival.caller, costOf(path));
    if (refusal) {
      notes.errorCode = refusal.code;
      return refuse(response, refusal);
    }
    await notes.turns.first();
    const requestId = newId("req", Date.now());
    notes.requestId = requestId;
    // Its work may continue after its caller disconnects, and needs turns then too.
    arrival.onceLeft(shareNotes(requestId, notes));
    const { headers } = request;
    headers[requestIdHeader] = requestId;
    delete headers[callerAddressHeader];
    if (address !== null) headers[callerAddressHeader] = address;
    completeHeaders(response, requestId);
    await pages(request, response);
  };

/** In calls. Rendering a page counts here; its operations count themselves. */
function costOf(path: string): number {
  if (hasBodyAt(path)) return 0;
  return path.startsWith("/_next/static/") ? 1 : 5;
}

/** Adds the headers that Next leaves out on its own responses, just before the headers are written. */
function completeHeaders(response: ServerResponse, requestId: string): void {
  const completed = { ...protectiveHeaders, "Request-Id": requestId };
  const writeHead = response.writeHead;
  response.writeHead = function complete(...given: Parameters<typeof writeHead>) {
    if (isDraining()) response.setHeader("Connection", "close");
    for (const [name, value] of Object.entries(completed)) {
      if (name !== "Cache-Control" && !response.hasHeader(name)) response.setHeader(name, value);
    }
    const type = response.getHeader("Content-Type");
    if (typeof type === "string" && /^(?:text\/[\w.+-]+|application\/json)$/.test(type)) {
      response.setHeader("Content-Type", `${type}; charset=utf-8`);
    }
    return writeHead.apply(response, given);
  } as typeof writeHead;
}
