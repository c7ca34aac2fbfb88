// A hosted page as an HTTP response: only its own script, no framing, no trace in caches, search engines or Referer
// headers.
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

interface Sources extends Pick<Document, "styleSource"> {
  scriptSource?: string | null;
  mayConnect?: boolean;
  hasImage?: boolean;
}

const policyOf = ({ styleSource, scriptSource = null, mayConnect = false, hasImage = false }: Sources): string =>
  `default-src 'none'; ${scriptSource === null ? "" : `script-src ${scriptSource}; `}${mayConnect ? "connect-src 'self'; " : ""}style-src ${styleSource}; img-src data:${hasImage ? " 'self'" : ""}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/** The page as a response. */
export function pageReply(
  document: Document,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): HttpReply {
  const all: Record<string, string> = {
    ...common,
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policyOf(document),
    ...headers,
  };
  if (document.refresh !== null) all.Refresh = document.refresh;
  return { status, headers: all, body: document.text };
}

/** A response without a page: a redirect to `Location`, an unsupported method (`Allow`), or nothing to show (204). */
export const bareReply = (
  status: 204 | 303 | 308 | 405,
  headers: { Location: string } | { Allow: string } | Record<string, never> = {},
): HttpReply => ({
  status,
  headers: { ...common, "Content-Security-Policy": policyOf({ styleSource: "'none'" }), ...headers },
  body: null,
});

/** 303 See Other: the post has been handled; the result is at `location`. */
export const seeOther = (location: string): HttpReply => bareReply(303, { Location: location });
