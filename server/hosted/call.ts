// A request for a hosted page, for the pages and their operations. Its only credential is the link in the path; only
// other-user.ts reads the session cookie.
import type * as z from "zod";
import { type FormKind, isFormToken, issueFormToken } from "@/server/domains/payments/form-token";
import type { HttpRequest } from "@/server/http/exchange";
import type { CallRequest } from "@/server/kit/context";
import { limits } from "@/server/kit/limits";
import type { Operation } from "@/server/kit/operation";
import type { RequestNotes } from "@/server/kit/request-notes";
import { perform } from "@/server/pipeline/perform";
import type { Runtime } from "@/server/process/runtime";
import { queryOf } from "./path";
import type { PageRequest } from "./reader";

export class PageCall implements CallRequest, PageRequest {
  readonly bearer = null;
  readonly cookie: string | null = null;
  readonly device = null;
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

  /** Never fires for a submitted form: closing the browser must not interrupt an attempt. */
  get signal(): AbortSignal {
    return this.request.method === "POST" ? new AbortController().signal : this.request.signal;
  }

  /** Creates a token for a form of this page. The subject is the object that the path names. */
  formToken(kind: FormKind, subject: string): string {
    return issueFormToken(this.runtime.keys, kind, subject, this.receivedAt);
  }

  /** Whether the submitted fields contain a valid form token. */
  hasFormToken(kind: FormKind, subject: string, { form_token = "" }: Readonly<Record<string, string>>): boolean {
    return isFormToken(this.runtime.keys, kind, subject, form_token, this.receivedAt);
  }

  setCookie(_cookie: string): void {
    throw new Error("Only the dashboard has cookies.");
  }

  /** Performs an operation for the sender of the request. */
  perform<I extends z.ZodType, O extends z.ZodType>(
    operation: Operation<I, O>,
    input: z.input<I>,
  ): Promise<z.output<O>> {
    return perform(operation, input, this, this.runtime) as Promise<z.output<O>>;
  }
}
