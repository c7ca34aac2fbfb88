// One request and its response on any host, as lightweight objects.
import type { Download } from "@/server/kit/download";
import { Failure, protocolFailure } from "@/server/kit/errors";
import type { RequestNotes } from "@/server/kit/request-notes";
import { runtime as processRuntime, type Runtime } from "@/server/process/runtime";
import { requestIdOf } from "./request-id";

/** A request from any transport: the parts of the web `Request` that are used, so that it is cheap to create. */
export interface HttpRequest {
  method: string;
  /** Path and query. */
  url: string;
  /** By name in lower case. Repeated headers are joined by ", ". */
  headers: { get(name: string): string | null };
  body: AsyncIterable<Uint8Array> | null;
  peerAddress: string | null;
  signal: AbortSignal;
  notes: RequestNotes;
}

export interface HttpReply {
  status: number;
  headers: Record<string, string>;
  body: string | null;
  /** Replaces the body of an image. */
  bytes?: Uint8Array<ArrayBuffer>;
  /** Replaces the body. It must be closed, sent or not. */
  download?: Download;
  /** Whether the connection must be closed after the response. */
  close?: boolean;
}

/** Answers the requests of one part of the server. */
export interface Handler {
  answer(request: HttpRequest, runtime: Runtime, requestId: string): Promise<HttpReply>;
  /** The response for a failure that `answer` threw. */
  refuse(failure: Failure, request: HttpRequest): HttpReply;
}

/** Answers a request in its turn and collects its log fields. Never rejects. `given` replaces the process's runtime. */
export async function exchange(handler: Handler, request: HttpRequest, given?: Runtime): Promise<HttpReply> {
  const requestId = requestIdOf(request.headers.get("request-id"));
  request.notes.requestId = requestId;
  let runtime: Runtime | undefined;
  let reply: HttpReply;
  try {
    runtime = given ?? (await processRuntime());
    // A handler that reads a body takes its turn afterwards.
    if (request.body === null || readsNoBody.has(request.method)) await request.notes.turns.first();
    reply = await handler.answer(request, runtime, requestId);
  } catch (error) {
    const failure = error instanceof Failure ? error : protocolFailure("internal_error");
    request.notes.errorCode = failure.code;
    if (failure.code === "internal_error") runtime?.log.error({ err: error, requestId }, "a request failed");
    reply = handler.refuse(failure, request);
  }
  reply.headers["Request-Id"] = requestId;
  return reply;
}

/** Methods whose body is never read. */
const readsNoBody: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
