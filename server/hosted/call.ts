// A request for a hosted page, as the pages and their operations see it: no credential but the link in the path.
import type * as z from "zod";
import type { CallRequest } from "@/server/kit/context";
import type { HttpRequest } from "@/server/kit/exchange";
import { limits } from "@/server/kit/limits";
import type { Operation } from "@/server/kit/operation";
import type { RequestNotes } from "@/server/kit/request-notes";
import type { Runtime } from "@/server/kit/runtime";
import { perform } from "@/server/pipeline";
import { queryOf } from "./path";
import type { Asked } from "./reader";

export class PageCall implements CallRequest, Asked {
  readonly bearer = null;
  readonly cookie = null;
  readonly idempotencyKey = null;
  readonly ifMatch = null;
  readonly ifNoneMatch = null;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly notes: RequestNotes;
  readonly receivedAt: number;
  readonly answerHeaders: Record<string, string> = {};
  readonly query: URLSearchParams;
  readonly headers: HttpRequest["headers"];

  constructor(
    readonly request: HttpRequest,
    readonly runtime: Runtime,
    readonly requestId: string,
  ) {
    this.ip = request.peerAddress;
    this.notes = request.notes;
    this.userAgent = request.headers.get("user-agent")?.slice(0, limits.userAgent) ?? null;
    this.receivedAt = runtime.clock.now();
    this.query = queryOf(request.url);
    this.headers = request.headers;
  }

  /** Never fires for what was submitted: closing the browser must not break an attempt off half-way. */
  get signal(): AbortSignal {
    return this.request.method === "POST" ? new AbortController().signal : this.request.signal;
  }

  /** Performs an operation for whoever sent the request. */
  perform<I extends z.ZodType, O extends z.ZodType>(
    operation: Operation<I, O>,
    input: z.input<I>,
  ): Promise<z.output<O>> {
    return perform(operation, input, this, this.runtime) as Promise<z.output<O>>;
  }
}
