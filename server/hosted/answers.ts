// Responses shared by all hosted pages: unknown link, cross-site form, internal error, and redirects.

import type { HttpReply } from "@/server/http/exchange";
import type { Failure } from "@/server/kit/errors";
import type { PageCall } from "./call";
import { plainPage } from "./frame";
import { type PageRequest, readerOf } from "./reader";
import { pageReply, seeOther } from "./response";
import { isFromOurPage, readForm } from "./submission";

/** 404, the same page for every unknown link. */
export const notFound = (request: PageRequest): HttpReply => pageReply(plainPage("notFound", readerOf(request)), 404);

/** The page for a refusal that the calling page does not handle itself. */
export function refused(failure: Failure, request: PageRequest): HttpReply {
  if (failure.code === "payment_not_found" || failure.code === "invalid_request") return notFound(request);
  return pageReply(plainPage("broken", readerOf(request)), failure.status, failure.headers);
}

/** The fields of a form sent by our own page, or the response that refuses it. */
export async function submittedFields(
  call: PageCall,
): Promise<{ fields: Record<string, string> } | { refusal: HttpReply }> {
  const refuse = (status: number) => ({ refusal: pageReply(plainPage("refused", readerOf(call)), status) });
  if (!isFromOurPage(call.headers, call.runtime.env.appUrl)) return refuse(403);
  const form = await readForm(call.headers, call.request.body);
  if (call.request.body !== null) await call.notes.turns.first();
  return "refused" in form ? refuse(form.refused) : form;
}

/**
 * The address that a page redirects to. For our own pages it keeps the reader's language and the host that the reader
 * sees, as the form policy requires.
 */
export function redirectTarget(call: PageCall, url: string): string {
  if (!url.startsWith(`${call.runtime.env.appUrl}/`)) return url;
  const { pathname, searchParams } = new URL(url);
  return readerOf(call).link(pathname, Object.fromEntries(searchParams));
}

/** 303 to {@link redirectTarget}. */
export const redirectTo = (call: PageCall, url: string): HttpReply => seeOther(redirectTarget(call, url));
