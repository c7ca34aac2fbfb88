// One request and its answer, on any host: the light objects of both, and the request's id.
import type { Download } from "@/server/kit/download";
import { Failure, protocolFailure } from "@/server/kit/errors";
import { newId } from "@/server/kit/ids";
import type { RequestNotes } from "@/server/kit/request-notes";
import { runtime as processRuntime, type Runtime } from "@/server/process/runtime";

/** A request as all transports give it: the platform's `Request` cut down to what is used, and so cheap to make. */
export interface HttpRequest {
  method: string;
  /** Path and query. */
  url: string;
  /** By the name in lower case. A header that comes twice is joined by ", ". */
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
  /** In place of the body. It must be closed, whether it was sent or not. */
  download?: Download;
  /** Whether the connection must be closed after the reply. */
  close?: boolean;
}

/** What answers the requests of a part of the paths. */
export interface Face {
  answer(request: HttpRequest, runtime: Runtime, requestId: string): Promise<HttpReply>;
  /** The reply to a request that `answer` threw a failure for. */
  refuse(failure: Failure, request: HttpRequest): HttpReply;
}

/** Has a request answered, in its turn, and notes what its line in the log needs. Never rejects. `given` stands in for the process's runtime. */
export async function exchange(face: Face, request: HttpRequest, given?: Runtime): Promise<HttpReply> {
  const requestId = requestIdOf(request);
  request.notes.requestId = requestId;
  let runtime: Runtime | undefined;
  let reply: HttpReply;
  try {
    runtime = given ?? (await processRuntime());
    // A handler that reads a body takes its turn afterwards.
    if (request.body === null || readsNoBody.has(request.method)) await request.notes.turns.first();
    reply = await face.answer(request, runtime, requestId);
  } catch (error) {
    const failure = error instanceof Failure ? error : protocolFailure("internal_error");
    request.notes.errorCode = failure.code;
    if (failure.code === "internal_error") runtime?.log.error({ err: error, requestId }, "a request failed");
    reply = face.refuse(failure, request);
  }
  reply.headers["Request-Id"] = requestId;
  return reply;
}

/** Methods whose body, if one comes all the same, nobody reads. */
const readsNoBody: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

function requestIdOf(request: HttpRequest): string {
  const given = request.headers.get("request-id");
  return given !== null && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : newId("req", Date.now());
}
