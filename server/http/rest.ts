// The REST API: finds the operation of a request, reads its input, performs it, and writes its response.
import type { CallRequest } from "@/server/kit/context";
import { Download } from "@/server/kit/download";
import { type Failure, protocolFailure } from "@/server/kit/errors";
import { limits } from "@/server/kit/limits";
import type { Operation } from "@/server/kit/operation";
import { protectiveHeaders } from "@/server/kit/protective-headers";
import { readQuery } from "@/server/kit/query-input";
import type { RequestNotes } from "@/server/kit/request-notes";
import { operations } from "@/server/pipeline/operations";
import { perform } from "@/server/pipeline/perform";
import type { Runtime } from "@/server/process/runtime";
import { exchange, type Handler, type HttpReply, type HttpRequest } from "./exchange";
import { idempotencyKeyOf } from "./idempotency-header";
import { parseJsonObject, readBody } from "./json-body";
import { isNormalPath, pathOf } from "./path";
import { type Route, RouteTable } from "./routes";

const routes = new RouteTable(operations as Record<string, Record<string, Operation>>);

/** Answers a request under /v1. Never rejects. */
export async function answer(request: HttpRequest, given?: Runtime): Promise<HttpReply> {
  const answerHeaders: Record<string, string> = {};
  const handler: Handler = {
    answer: (_, runtime, requestId) => answerOperation(request, { runtime, requestId, answerHeaders }),
    refuse: (failure) => refusal(failure, answerHeaders),
  };
  const reply = await exchange(handler, request, given);
  Object.assign(reply.headers, protectiveHeaders);
  return reply;
}

/**
 * A call read from its request's headers. It is a class because V8 creates a new shape for each object literal with a
 * getter, which keeps the whole request alive until the next full collection.
 */
class RestCall implements CallRequest {
  readonly bearer: string | null;
  readonly cookie = null;
  readonly notes: RequestNotes;
  readonly device = null;
  readonly isHead: boolean;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly idempotencyKey: string | null;
  readonly ifMatch: string | null;
  readonly ifNoneMatch: string | null;

  constructor(
    private readonly request: HttpRequest,
    { effect }: Operation,
    readonly requestId: string,
    readonly receivedAt: number,
    readonly answerHeaders: Record<string, string>,
  ) {
    const { headers, method, peerAddress } = request;
    this.isHead = method === "HEAD";
    this.bearer = headers.get("authorization");
    this.ip = peerAddress;
    this.notes = request.notes;
    this.userAgent = headers.get("user-agent")?.slice(0, limits.userAgent) ?? null;
    this.idempotencyKey = effect === "read" ? null : idempotencyKeyOf(request.headers);
    this.ifMatch = headers.get("if-match");
    this.ifNoneMatch = headers.get("if-none-match");
  }

  /** Created on demand: an abort signal costs more than most reads. */
  get signal(): AbortSignal {
    return this.request.signal;
  }

  setCookie(): never {
    throw new Error("The REST API has no cookies.");
  }
}

interface Answering {
  runtime: Runtime;
  requestId: string;
  answerHeaders: Record<string, string>;
}

async function answerOperation(request: HttpRequest, { runtime, requestId, answerHeaders }: Answering) {
  const path = pathOf(request.url);
  if (!isNormalPath(path)) throw protocolFailure("invalid_request", "The path is not in its normal form.");
  const match = routes.find(request.method, path);
  if (!match.found) {
    if (match.allowed.length === 0) throw protocolFailure("unknown_path");
    throw protocolFailure("method_not_allowed", undefined, { Allow: match.allowed.join(", ") });
  }
  const { operation } = match.route;
  const input = { ...(await readInput(request, match.route)), ...match.values };
  const call = new RestCall(request, operation, requestId, runtime.clock.now(), answerHeaders);
  return success(operation, await perform(operation, input, call, runtime), call);
}

function success(operation: Operation, output: unknown, call: CallRequest): HttpReply {
  const headers = call.answerHeaders;
  const etag = operation.rest?.etag?.(output);
  if (etag !== undefined) {
    headers.ETag = `"${etag}"`;
    const known = call.ifNoneMatch?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
    if (operation.effect === "read" && known.includes(headers.ETag)) return { status: 304, headers, body: null };
  }
  if (output instanceof Download) {
    return { status: 200, headers: { ...headers, ...output.headers }, body: null, download: output };
  }
  headers["Content-Type"] = "application/json; charset=utf-8";
  return { status: 200, headers, body: JSON.stringify(output) };
}

/** The response to a refusal: a body of exactly two fields. */
function refusal(failure: Failure, extra: Record<string, string> = {}): HttpReply {
  return {
    status: failure.status,
    headers: { ...extra, ...failure.headers, "Content-Type": "application/json; charset=utf-8" },
    body: JSON.stringify({ error_code: failure.code, error_description: failure.message }),
    close: failure.code === "payload_too_large",
  };
}

function readInput(request: HttpRequest, route: Route): Record<string, unknown> | Promise<Record<string, unknown>> {
  const at = request.url.indexOf("?");
  const query = at < 0 ? {} : readQuery(request.url.slice(at + 1), route.queryFields);
  if (route.operation.rest?.method === "GET") {
    refuseKeys(query, route.parameters);
    return query;
  }
  return readBodyInput(request, route, query);
}

async function readBodyInput(request: HttpRequest, route: Route, query: Record<string, unknown>) {
  const bytes = await readBody(request.body);
  if (request.body !== null) await request.notes.turns.first();
  const body = parseJsonObject(bytes, request.headers.get("content-type"));
  refuseKeys(body, route.parameters);
  const allowed = route.operation.rest?.queryFields ?? [];
  const strays = Object.keys(query).filter((name) => !allowed.includes(name));
  if (!route.operation.ignoresUnknownFields) refuseKeys(query, strays);
  for (const name of allowed) {
    if (!Object.hasOwn(query, name)) continue;
    if (Object.hasOwn(body, name)) throw protocolFailure("invalid_request", `${name}: is given twice`);
    body[name] = query[name];
  }
  return body;
}

function refuseKeys(input: Record<string, unknown>, names: readonly string[]): void {
  const found = names.filter((name) => Object.hasOwn(input, name));
  if (found.length > 0) {
    throw protocolFailure("invalid_request", found.map((name) => `${name}: unknown field`).join("; "));
  }
}
