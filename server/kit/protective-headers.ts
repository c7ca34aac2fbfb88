// Headers that protect a response from being stored, framed, executed or sniffed.

/** On every response that is not a page: nothing in it may be stored, framed, executed or sniffed (ASVS 3.4). */
export const protectiveHeaders = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
} as const;
