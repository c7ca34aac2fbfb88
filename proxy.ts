// Runs before every page: gives it a content security policy with a fresh nonce, which Next puts on its own scripts.
import { type NextRequest, NextResponse } from "next/server";

const isDevelopment = process.env.NODE_ENV === "development";

/** Allows only our own scripts, by nonce. Inline styles are allowed because Mantine computes some (ASVS 3.4.3). */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${isDevelopment ? " ws:" : ""}`,
    "manifest-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join("; ");
}

export function proxy(request: NextRequest): NextResponse {
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
  const policy = contentSecurityPolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("Content-Security-Policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("Content-Security-Policy", policy);
  return response;
}

/** Excludes the REST API, tRPC, health checks, files, and what sets its own policy: hosted pages, their preview and logos. */
export const config = {
  matcher: [
    "/((?!v1/|api/trpc/|pay/[^/]+$|pay/[^/]+/receipt$|logo/[^/]+$|dashboard/accounts/[^/]+/preview$|dashboard/payment-requests/preview(?:/invoice)?$|sandbox/challenge/[^/]+$|reset-password/[^/]+$|forgot-password$|invitation/[^/]+$|sign-up$|card/[^/]+$|email/[^/]+$|healthz$|readyz$|_next/static/|favicon.ico$).*)",
  ],
};
