// Hosted pages, which customers open from links, and their logos: finds the page of a request and answers with it.
import { exchange, type Handler, type HttpReply, type HttpRequest } from "@/server/http/exchange";
import { pathOf } from "@/server/http/path";
import type { Runtime } from "@/server/process/runtime";
import { notFound, refused } from "./answers";
import { PageCall } from "./call";
import { showCardPage, submitCard } from "./card-page";
import { showChallenge, submitChallenge } from "./challenge-page";
import { sendCreditNote, showCreditNote } from "./credit-note-page";
import { showEmailLink, submitEmailLink } from "./email-page";
import { showForgot, submitForgot } from "./forgot-page";
import { showInvitation, submitInvitation } from "./invitation-page";
import { sendInvoice, showInvoice } from "./invoice-page";
import { showLogo } from "./logo";
import { queryOf } from "./path";
import { showPayment, submitPayment } from "./pay-page";
import { showQr } from "./qr";
import { showReceipt } from "./receipt-page";
import { showReset, submitReset } from "./reset-page";
import { bareReply, seeOther } from "./response";
import { showSecurityText } from "./security-text";
import { showSignUp, submitSignUp } from "./sign-up-page";

interface Page {
  /**
   * The path. The first group is the secret or the reference of the page's object, empty for a page without one; the
   * second is what the page shows of it.
   */
  pattern: RegExp;
  show(call: PageCall, name: string, part: string): Promise<HttpReply>;
  /** Handles the page's form, if it has one. */
  submit?(call: PageCall, name: string): Promise<HttpReply>;
}

const pages: readonly Page[] = [
  { pattern: /^\/pay\/([^/]+)$/, show: showPayment, submit: submitPayment },
  { pattern: /^\/pay\/([^/]+)\/receipt$/, show: showReceipt },
  { pattern: /^\/pay\/([^/]+)\/invoice$/, show: showInvoice },
  { pattern: /^\/pay\/([^/]+)\/invoice\.pdf$/, show: sendInvoice },
  { pattern: /^\/pay\/([^/]+)\/credit-notes\/([^/.]+)$/, show: showCreditNote },
  { pattern: /^\/pay\/([^/]+)\/credit-notes\/([^/.]+)\.pdf$/, show: sendCreditNote },
  { pattern: /^\/pay\/([^/]+)\/qr\.svg$/, show: showQr("svg") },
  { pattern: /^\/pay\/([^/]+)\/qr\.png$/, show: showQr("png") },
  { pattern: /^\/logo\/([0-9a-f]{64}\.(?:png|jpg))$/, show: showLogo },
  { pattern: /^\/card\/([^/]+)$/, show: showCardPage, submit: submitCard },
  { pattern: /^\/email\/([^/]+)$/, show: showEmailLink, submit: submitEmailLink },
  { pattern: /^\/forgot-password()$/, show: showForgot, submit: submitForgot },
  { pattern: /^\/reset-password\/([^/]+)$/, show: showReset, submit: submitReset },
  { pattern: /^\/invitation\/([^/]+)$/, show: showInvitation, submit: submitInvitation },
  { pattern: /^\/sign-up()$/, show: showSignUp, submit: submitSignUp },
  // Where password managers look for the page (W3C, "A Well-Known URL for Changing Passwords").
  { pattern: /^\/\.well-known\/change-password()$/, show: async () => seeOther("/dashboard/password") },
  { pattern: /^\/\.well-known\/security\.txt()$/, show: showSecurityText },
  { pattern: /^\/sandbox\/challenge\/([^/]+)$/, show: showChallenge, submit: submitChallenge },
];

const handler: Handler = {
  answer: (request, runtime, requestId) => answerPage(new PageCall(request, runtime, requestId)),
  refuse: (failure, { url, headers }) => refused(failure, { query: queryOf(url), headers }),
};

/** Answers a request for a hosted page: see `surfaceOf` in server/http/surfaces.ts. Never rejects. */
export const answerHosted = (request: HttpRequest, given?: Runtime): Promise<HttpReply> =>
  exchange(handler, request, given);

async function answerPage(call: PageCall): Promise<HttpReply> {
  const { method, url } = call.request;
  const path = pathOf(url);
  for (const { pattern, show, submit } of pages) {
    const [, first, second = ""] = pattern.exec(path) ?? [];
    const [name, part] = [decoded(first), decoded(second)];
    if (name === null || part === null) continue;
    if (method === "GET" || method === "HEAD") return show(call, name, part);
    if (method === "POST" && submit) return submit(call, name);
    return bareReply(405, { Allow: submit ? "GET, HEAD, POST" : "GET, HEAD" });
  }
  const plain = path.replace(/\/$/, "");
  const hasExtraSlash = pages.some(({ pattern }) => pattern.test(plain));
  return hasExtraSlash ? bareReply(308, { Location: plain + url.slice(path.length) }) : notFound(call);
}

/** A path segment as text; null if it is not percent-encoded UTF-8. */
function decoded(segment: string | undefined): string | null {
  try {
    return segment === undefined ? null : decodeURIComponent(segment);
  } catch {
    return null;
  }
}
