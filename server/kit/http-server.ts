// The HTTP server: its limits, its plain answers to broken requests, and how it stops without losing work.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate as nextImmediate, setTimeout as sleep } from "node:timers/promises";
import type { TrustedProxies } from "@/server/kit/env";
import { isNormalPath, pathOf, withoutOrigin } from "@/server/kit/http-path";
import { answerBrokenRequest, MAX_HEADER_BYTES, refuse } from "@/server/kit/http-refusals";
import { beginDraining, isDraining } from "@/server/kit/lifecycle";
import { completeHeaders, faultOfPageRequest } from "@/server/kit/page-requests";
import { CALLER_ADDRESS_HEADER, callerFinder } from "@/server/kit/peer";

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 5_000;
/** Load balancers keep idle connections for 60 s; closing first would lose the request that they send meanwhile. */
const KEEP_ALIVE_BEHIND_PROXY_MS = 65_000;
/** A connection on which nothing moves for so long is cut: longer than any answer is waited for. */
const STALLED_MS = 120_000;
const MAX_CONNECTIONS = 2_000;
const ACCEPT_GRACE_MS = 100;
const ACCEPT_MOST_MS = 1_000;
const KEEP_ALIVE_GRACE_MS = 1_000;
const SWEEP_MS = 50;

type Listener = (request: IncomingMessage, response: ServerResponse, caller: string | null) => Promise<void>;

export type HttpServerOptions = {
  /** Answers everything under /v1. */
  rest: Listener;
  /** Answers everything under /pay and /sandbox. */
  hosted: Listener;
  /** Answers everything else; finds the caller's address in the request's headers. */
  pages: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Tells browsers to use https alone; only right when the app is reached by https. */
  isHttps: boolean;
  trustedProxies: TrustedProxies;
};

/** A server that is not yet listening. */
export function createHttpServer({ rest, hosted, pages, isHttps, trustedProxies }: HttpServerOptions): Server {
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
      return refuse(response, { code: "invalid_request", description: "The Host header is missing." });
    }
    request.url = withoutOrigin(request.url ?? "/");
    const path = pathOf(request.url);
    const caller = callerOf(request);
    if (isRest(path)) return void rest(request, response, caller).catch(() => response.destroy());
    if (!isNormalPath(path)) return refuse(response, notNormal);
    if (isHosted(path)) return void hosted(request, response, caller).catch(() => response.destroy());
    const fault = faultOfPageRequest(request, path);
    if (fault) return refuse(response, fault);
    completeHeaders(response);
    pages(withCaller(request, caller), response).catch(() => response.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = STALLED_MS;
  server.on("clientError", answerBrokenRequest);
  return server;
}

const isRest = (path: string) => /^\/v1(?:\/|$)/.test(path);

const isHosted = (path: string) => /^\/(?:pay|sandbox)(?:\/|$)/.test(path);

const notNormal = { code: "invalid_request", description: "The path is not in its normal form." } as const;

function withCaller(request: IncomingMessage, caller: string | null): IncomingMessage {
  delete request.headers[CALLER_ADDRESS_HEADER];
  if (caller !== null) request.headers[CALLER_ADDRESS_HEADER] = caller;
  return request;
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
