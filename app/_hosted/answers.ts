// Answers that every hosted page gives alike: no such link, a form from elsewhere, a fault of ours, and the way on.
import { callRequestOf } from "@/app/_trpc/call-request";
import type { Runtime } from "@/server/kit/runtime";
import { createCaller, failureOf } from "@/server/router";
import { plainPage } from "./frame";
import { readerOf } from "./reader";
import { pageResponse, seeOther } from "./response";
import { isFromOurPage, readForm } from "./submission";

/** The operations as whoever sent the request; `signal` ends what is under way. */
export const callerOf = (request: Request, runtime: Runtime, signal: AbortSignal = request.signal) =>
  createCaller({ runtime, request: callRequestOf(request.headers, runtime, signal) });

/** 404, the same page for every link that is none. */
export const notFound = (request: Request): Response =>
  pageResponse(plainPage("notFound", readerOf(request)), 404, { isHead: request.method === "HEAD" });

/** What an operation's refusal comes to where the page has no better word for it. */
export function broken(request: Request, runtime: Runtime, error: unknown): Response {
  const failure = failureOf(error);
  if (failure.code === "payment_not_found" || failure.code === "invalid_request") return notFound(request);
  if (failure.code === "internal_error") runtime.log.error({ err: error }, "a hosted page failed");
  const isHead = request.method === "HEAD";
  return pageResponse(plainPage("broken", readerOf(request)), failure.status, { isHead, headers: failure.headers });
}

/** The fields of a form that our own page sent, or the answer that refuses it. */
export async function submittedFields(
  request: Request,
  { env }: Runtime,
): Promise<{ fields: Record<string, string> } | { refusal: Response }> {
  const refuse = (status: number) => ({ refusal: pageResponse(plainPage("refused", readerOf(request)), status) });
  if (!isFromOurPage(request.headers, env.appUrl)) return refuse(403);
  const form = await readForm(request.headers, request.body as AsyncIterable<Uint8Array> | null);
  return "refused" in form ? refuse(form.refused) : form;
}

/**
 * An address that a page leads to. One of ours keeps the reader's language, and stays on the host that the reader sees,
 * as the policy for forms demands.
 */
export function onward(request: Request, { env }: Runtime, url: string): string {
  if (!url.startsWith(`${env.appUrl}/`)) return url;
  const { pathname, searchParams } = new URL(url);
  return readerOf(request).link(pathname, Object.fromEntries(searchParams));
}

/** 303 to {@link onward}. */
export const goOn = (request: Request, runtime: Runtime, url: string): Response =>
  seeOther(onward(request, runtime, url));
