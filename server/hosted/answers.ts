// Answers that every hosted page gives alike: no such link, a form from elsewhere, a fault of ours, and the way on.

import type { HttpReply } from "@/server/http/exchange";
import type { Failure } from "@/server/kit/errors";
import type { PageCall } from "./call";
import { plainPage } from "./frame";
import { type Asked, readerOf } from "./reader";
import { pageReply, seeOther } from "./response";
import { isFromOurPage, readForm } from "./submission";

/** 404, the same page for every link that is none. */
export const notFound = (asked: Asked): HttpReply => pageReply(plainPage("notFound", readerOf(asked)), 404);

/** What an operation's refusal comes to where the page has no better word for it. */
export function refused(failure: Failure, asked: Asked): HttpReply {
  if (failure.code === "payment_not_found" || failure.code === "invalid_request") return notFound(asked);
  return pageReply(plainPage("broken", readerOf(asked)), failure.status, failure.headers);
}

/** The fields of a form that our own page sent, or the answer that refuses it. */
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
 * An address that a page leads to. One of ours keeps the reader's language, and stays on the host that the reader sees,
 * as the policy for forms demands.
 */
export function onward(call: PageCall, url: string): string {
  if (!url.startsWith(`${call.runtime.env.appUrl}/`)) return url;
  const { pathname, searchParams } = new URL(url);
  return readerOf(call).link(pathname, Object.fromEntries(searchParams));
}

/** 303 to {@link onward}. */
export const goOn = (call: PageCall, url: string): HttpReply => seeOther(onward(call, url));
