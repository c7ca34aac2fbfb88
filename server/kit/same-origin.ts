// Whether a browser sent a request from one of our own pages (OWASP CSRF cheat sheet: Fetch Metadata, then Origin).

/**
 * True if the browser says `Sec-Fetch-Site: same-origin`, or, where it says nothing of the kind, names `appUrl` as the
 * Origin. False for everything else, a request without both headers included.
 */
export function isSameOrigin(headers: { get(name: string): string | null }, appUrl: string): boolean {
  const site = headers.get("sec-fetch-site");
  return site === null ? headers.get("origin") === appUrl : site === "same-origin";
}
