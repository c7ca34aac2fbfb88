// The HTTP server: its limits, and its plain responses to broken requests. draining.ts says how it stops.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import type { HttpRefusal } from "@/server/kit/errors";
import { limits } from "@/server/kit/limits";
import { addressBlock, callerFinder, proxyTest } from "@/server/kit/peer";
import { newNotes, type RequestNotes } from "@/server/kit/request-notes";
import type { TrustedProxies } from "@/server/process/env";
import { isDraining } from "@/server/process/lifecycle";
import { Connections } from "./connections";
import { drainingEvent } from "./draining";
import { type Arrival, Entrance, type EntranceOptions } from "./entrance";
import type { MetricsReader } from "./metrics";
import { oneAtATime, type ParserError } from "./one-at-a-time";
import { type PageHandler, pageListener } from "./page-requests";
import { withoutOrigin } from "./path";
import { answerBrokenRequest, canAnswerBroken, refuse } from "./refusals";
import { requestIdOf } from "./request-id";
import { logRequest, RefusalLines } from "./request-log";
import { expectsContinue, faultOf, surfaceOf } from "./surfaces";
import { sendUnlimited, unlimitedAnswer } from "./unlimited";

const headersTimeoutMs = 10_000;
/** From the first byte of a request to the last byte of its body. */
const requestTimeoutMs = 20_000;
/** How long a reader may take nothing of a waiting response. */
const unreadMs = 60_000;
/**
 * How long an idle connection is kept. Load balancers keep theirs for 60 s, and many HTTP clients ignore the announced
 * time. Closing earlier would lose a request that they are just sending.
 */
const keepAliveMs = 65_000;
/** A connection without traffic for this long is cut. Longer than any response takes. */
const stalledMs = 120_000;

type Listener = (request: IncomingMessage, response: ServerResponse, arrival: Arrival) => Promise<void>;

export interface HttpServerOptions extends EntranceOptions {
  /** Answers everything under /v1. */
  rest: Listener;
  /** Answers the addresses of hosted pages. */
  hosted: Listener;
  /** Answers everything else. Finds the caller's address in the request's headers. */
  pages: PageHandler;
  /** Tells browsers to use only https. Correct only if the app is reached by https. */
  isHttps: boolean;
  trustedProxies: TrustedProxies;
  metrics: MetricsReader;
  log: Logger;
}

/** Shared by the functions of one server. */
interface Reception {
  options: HttpServerOptions;
  entrance: Entrance;
  refusalLines: RefusalLines;
  isProxy: ReturnType<typeof proxyTest>;
  findCaller: ReturnType<typeof callerFinder>;
}

/** Creates a server that is not yet listening. */
export function createHttpServer(options: HttpServerOptions): Server {
  const { trustedProxies, log } = options;
  const reception: Reception = {
    options,
    entrance: new Entrance(options),
    refusalLines: new RefusalLines(log),
    isProxy: proxyTest(trustedProxies),
    findCaller: callerFinder(trustedProxies, () => log.warn(forwardedUnheard)),
  };
  const { entrance, isProxy } = reception;
  const line = oneAtATime({
    handle: receiver(reception, (request, address) => connections.answered(request.socket, address)),
    reserveBody: (request) => entrance.reserveBody(request, addressOf(reception, request)),
    answerBroken: (...broken) => answerBroken(reception, ...broken),
  });
  const server = createServer(nodeOptions, line.receive);
  const connections = new Connections(server, {
    perAddress: options.requestsPerAddress,
    isProxy,
    unreadBytes: limits.unreadBytes,
    unreadMs: unreadMs,
    log,
  });
  // Refused connections count too: each one delays those behind it by a turn of the event loop.
  server.on("connection", () => entrance.noteConnection());
  server.timeout = stalledMs;
  server.on("timeout", cutUnlessRead);
  server.on(drainingEvent, (graceMs: number) => connections.endIdle(line.isIdle, graceMs));
  // Node would ask for the body of a request with `Expect: 100-continue` before any limit is checked, and refuse other
  // expectations itself. Those may be ignored (RFC 9110, 10.1.1).
  server.on("checkContinue", line.receive);
  server.on("checkExpectation", line.receive);
  server.on("clientError", (error: ParserError, socket) => line.fail(error, socket as Socket));
  return server;
}

const addressOf = ({ findCaller }: Reception, { socket, headers }: IncomingMessage): string | null =>
  findCaller(socket.remoteAddress ?? null, headers["x-forwarded-for"]?.toString() ?? null);

/** The listener for requests. `answered` is called once a response has been sent. */
function receiver(reception: Reception, answered: (request: IncomingMessage, address: string | null) => void) {
  const { options, refusalLines } = reception;
  const { isHttps, log, metrics } = options;
  const surfaces = { rest: options.rest, hosted: options.hosted, pages: pageListener(options) };
  return (request: IncomingMessage, response: ServerResponse): void => {
    const receivedAt = performance.now();
    if (isHttps) response.setHeader("Strict-Transport-Security", "max-age=63072000; includeSubDomains");
    // A connection that was idle when draining began would have little time left; see draining.ts.
    if (isDraining()) request.socket.setTimeout(stalledMs);
    const address = addressOf(reception, request);
    const writeLine = (notes: RequestNotes) => logRequest(log, request, response, notes, { address, receivedAt });
    const mayWriteLine = () => refusalLines.take(addressBlock(address));
    const unlimited = unlimitedAnswer(request, metrics);
    if (unlimited) {
      // Successful ones are logged only at level debug, because they are frequent and all alike.
      response.once("close", () => {
        if (response.statusCode < 400 || mayWriteLine()) writeLine(newNotes());
      });
      sendUnlimited(response, unlimited).catch(() => response.destroy());
      return;
    }
    const arrival = admit(reception, request, response, address);
    if ("code" in arrival) {
      const requestId = requestIdOf(request.headers["request-id"]);
      const notes = { ...newNotes(), requestId, errorCode: arrival.code };
      metrics.noteRefusal(arrival.code);
      if (mayWriteLine()) response.once("close", () => writeLine(notes));
      refuse(response, arrival, requestId);
      return;
    }
    response.once("close", () => {
      metrics.noteRefusal(arrival.notes.errorCode);
      writeLine(arrival.notes);
    });
    if (expectsContinue(request)) response.writeContinue();
    surfaces[surfaceOf(request)](request, response, arrival)
      .then(
        () => answered(request, address),
        () => response.destroy(),
      )
      .finally(() => arrival.ended());
  };
}

function admit(
  { entrance, isProxy }: Reception,
  request: IncomingMessage,
  response: ServerResponse,
  address: string | null,
): Arrival | HttpRefusal {
  request.url = withoutOrigin(request.url ?? "/");
  const isProxied = isProxy(request.socket.remoteAddress ?? "");
  return entrance.admit(request, response, {
    address,
    surface: surfaceOf(request),
    isProxied,
    fault: faultOf(request),
  });
}

function answerBroken(
  { options: { log, metrics }, entrance, refusalLines, isProxy, findCaller }: Reception,
  error: ParserError,
  socket: Socket,
  isAnswering: boolean,
): void {
  const address = findCaller(socket.remoteAddress ?? null, null);
  if (!canAnswerBroken(error, socket)) {
    socket.destroy();
    return;
  }
  metrics.noteRefusal("invalid_request");
  // Behind a proxy the sender is unknown, and the proxy's other callers must not pay for it.
  const mayGoOn = isProxy(socket.remoteAddress ?? "") || entrance.countBroken(address);
  if (refusalLines.take(addressBlock(address))) {
    log.info({ address, error_code: "invalid_request", parser: error.code ?? null }, "a request was not valid HTTP");
  }
  if (mayGoOn && !isAnswering) answerBrokenRequest(error, socket);
  else socket.destroy();
}

/**
 * Cuts a connection without traffic. Data that arrived while the process was busy is read first: a late timer fires
 * before that and would cut off a request that has already arrived.
 */
function cutUnlessRead(socket: Socket): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.bytesRead === bytesRead) socket.destroy();
  });
}

const nodeOptions = {
  headersTimeout: headersTimeoutMs,
  requestTimeout: requestTimeoutMs,
  keepAliveTimeout: keepAliveMs,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: limits.headerBytes,
  // We refuse it ourselves, with a body like every other refusal.
  requireHostHeader: false,
};

const forwardedUnheard =
  "X-Forwarded-For arrives, but TRUST_PROXY is not set: all callers behind the proxy count as one caller";

/** Listens. Rejects with Node's error (EADDRINUSE, EACCES, …) if that fails. */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, backlog: limits.connectionBacklog }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
