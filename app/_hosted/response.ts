// A hosted page as an HTTP answer: no script, no frame, no trace in caches, search engines and Referer headers.
import { createHash } from "node:crypto";
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

const policyFor = (style: string): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    "img-src data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** The page; the answer to HEAD has the same headers and no body. */
export function pageResponse(
  document: Document,
  status: number,
  { isHead = false, headers = {} }: { isHead?: boolean; headers?: Record<string, string> } = {},
): Response {
  return new Response(isHead ? null : document.text, {
    status,
    headers: {
      ...common,
      ...headers,
      ...(document.refresh === null ? {} : { Refresh: document.refresh }),
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policyFor(document.style),
    },
  });
}

/** 303: what was posted has been dealt with; look at `location` now. */
export const seeOther = (location: string): Response =>
  new Response(null, { status: 303, headers: { ...common, Location: location } });
