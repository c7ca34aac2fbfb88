// A hosted page as an HTTP answer: no script, no frame, no trace in caches, search engines and Referer headers.
import type { HttpReply } from "@/server/http/exchange";
import type { Document } from "./frame";

const common = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex, nofollow",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
};

const policyOf = (styleSource: string): string =>
  `default-src 'none'; style-src ${styleSource}; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/** The page as an answer. */
export function pageReply(
  document: Document,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): HttpReply {
  const all: Record<string, string> = {
    ...common,
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policyOf(document.styleSource),
    ...headers,
  };
  if (document.refresh !== null) all.Refresh = document.refresh;
  return { status, headers: all, body: document.text };
}

/** An answer without a page: a redirect to `Location`, or a method that the path does not have (`Allow`). */
export const bareReply = (status: 303 | 308 | 405, headers: { Location: string } | { Allow: string }): HttpReply => ({
  status,
  headers: { ...common, "Content-Security-Policy": policyOf("'none'"), ...headers },
  body: null,
});

/** 303: what was posted has been dealt with; look at `location` now. */
export const seeOther = (location: string): HttpReply => bareReply(303, { Location: location });
