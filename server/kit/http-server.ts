// The HTTP server: its limits, its plain answers to broken requests, and how it stops without losing work.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setImmediate as nextImmediate, setTimeout as sleep } from "node:timers/promises";
import type { TrustedProxies } from "@/server/kit/env";
import { newId } from "@/server/kit/ids";
import { beginDraining, isDraining } from "@/server/kit/lifecycle";
import { CALLER_ADDRESS_HEADER, callerFinder } from "@/server/kit/peer";

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 5_000;
/** Load balancers keep idle connections for 60 s; closing first would lose the request that they send meanwhile. */
const KEEP_ALIVE_BEHIND_PROXY_MS = 65_000;
/** A connection on which nothing moves for so long is cut: longer than any answer is waited for. */
const STALLED_MS = 120_000;
const MAX_HEADER_BYTES = 16_384;
const MAX_CONNECTIONS = 2_000;
const ACCEPT_GRACE_MS = 100;
const ACCEPT_MOST_MS = 1_000;
const KEEP_ALIVE_GRACE_MS = 1_000;
const SWEEP_MS = 50;

type Listener = (request: IncomingMessage, response: ServerResponse, caller: string | null) => Promise<void>;

export type HttpServerOptions = {
  /** Answers everything under /v1. */
  rest: Listener;
  /** Answers everything else; finds the caller's address in the request's headers. */
  pages: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Tells browsers to use https alone; only right when the app is reached by https. */
  isHttps: boolean;
  trustedProxies: TrustedProxies;
};

/** A server that is not yet listening. */
export function createHttpServer({ rest, pages, isHttps, trustedProxies }: HttpServerOptions): Server {
  const options = {
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: trustedProxies ? KEEP_ALIVE_BEHIND_PROXY_MS : KEEP_ALIVE_MS,
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Refused below, with a body like every other refusal.
    requireHostHeader: false,
  };
  const findCaller = callerFinder(trustedProxies);
  const callerOf = ({ socket, headers }: IncomingMessage) =>
    findCaller(socket.remoteAddress ?? null, headers["x-forwarded-for"]?.toString() ?? null);
  const server = createServer(options, (request, response) => {
    if (isHttps) response.setHeader("Strict-Transport-Security", "max-age=63072000; includeSubDomains");
    if (isDraining()) response.setHeader("Connection", "close");
    if (request.headers.host === undefined && request.httpVersion === "1.1") {
      return refuse(response, "The Host header is missing.");
    }
    request.url = withoutOrigin(request.url ?? "/");
    if (!isRest(request) && !isDecodable(request)) return refuse(response, "The path is not percent-encoded UTF-8.");
    const caller = callerOf(request);
    const answered = isRest(request) ? rest(request, response, caller) : pages(withCaller(request, caller), response);
    answered.catch(() => response.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = STALLED_MS;
  server.on("clientError", answerBrokenRequest);
  return server;
}

/** A server must take a request's target in absolute form too (RFC 9112, section 3.2.2). */
const withoutOrigin = (url: string): string =>
  url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?#]*(?=[/?#]|$)/i, "") || "/";

const isRest = ({ url }: IncomingMessage) => /^\/v1(?:[/?]|$)/.test(url ?? "");

function withCaller(request: IncomingMessage, caller: string | null): IncomingMessage {
  delete request.headers[CALLER_ADDRESS_HEADER];
  if (caller !== null) request.headers[CALLER_ADDRESS_HEADER] = caller;
  return request;
}

const errorBody = (description: string) =>
  JSON.stringify({ error_code: "invalid_request", error_description: description });

/** Whether the path is one that Next can take apart; on others it would fail. */
function isDecodable({ url }: IncomingMessage): boolean {
  try {
    decodeURIComponent((url ?? "").split("?", 1)[0] ?? "");
    return true;
  } catch {
    return false;
  }
}

function refuse(response: ServerResponse, description: string): void {
  const body = errorBody(description);
  response.writeHead(400, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    "Request-Id": newId("req", Date.now()),
    Connection: "close",
  });
  response.end(body);
}

/** What Node's parser refuses never becomes a request, so the answer is written to the socket by hand. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || socket.bytesWritten > 0 || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const [status, description] = brokenRequest(error.code);
  const body = errorBody(description);
  const head = [
    `HTTP/1.1 ${status}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    `Request-Id: ${newId("req", Date.now())}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

function brokenRequest(code: string | undefined): [status: string, description: string] {
  if (code === "HPE_HEADER_OVERFLOW") {
    return ["431 Request Header Fields Too Large", `The headers are larger than ${MAX_HEADER_BYTES} bytes.`];
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return ["408 Request Timeout", "The request did not arrive in time."];
  return ["400 Bad Request", "The request is not valid HTTP/1.1."];
}

/** Listens; rejects with Node's error (EADDRINUSE, EACCES, …) when that is not possible. */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/**
 * Takes the connections that the system has established and Node has not accepted yet: closing the port would reset
 * them. Node accepts one in each turn of its event loop, so a turn without one means that none is left.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => void accepted++;
  server.on("connection", count);
  await sleep(ACCEPT_GRACE_MS);
  const latest = Date.now() + ACCEPT_MOST_MS;
  for (let before = -1; before !== accepted && Date.now() < latest; ) {
    before = accepted;
    await nextImmediate();
  }
  server.off("connection", count);
}

/**
 * Wakes long polls, stops taking connections, and resolves when the running requests are answered, or after
 * `timeoutMs`, when the rest is cut off. Open connections get a moment in which a request that is already on its way
 * is still answered (and told to close), so that clients under load see no failure.
 */
export async function drain(server: Server, timeoutMs: number): Promise<"finished" | "cut off"> {
  beginDraining();
  await acceptWaiting(server);
  // http.Server.close() would drop idle connections at once, under requests that are on their way.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  const deadline = sleep(timeoutMs, "cut off" as const, { ref: false });
  const grace = sleep(KEEP_ALIVE_GRACE_MS, undefined, { ref: false });
  let sweep: NodeJS.Timeout | undefined;
  const sweeping = grace.then(() => {
    sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  });
  const result = await Promise.race([closed.then(() => "finished" as const), deadline]);
  await Promise.race([sweeping, closed]);
  clearInterval(sweep);
  server.closeAllConnections();
  return result;
}
