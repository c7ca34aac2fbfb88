// Whether a request came from one of our own pages or from another site (OWASP CSRF cheat sheet: Fetch Metadata, Origin).

/**
 * True if the browser says `Sec-Fetch-Site: same-origin`, or, where it says nothing of the kind, names `appUrl` as the
 * Origin. False for everything else, a request without both headers included.
 */
export function isSameOrigin(headers: { get(name: string): string | null }, appUrl: string): boolean {
  const site = headers.get("sec-fetch-site");
  return site === null ? headers.get("origin") === appUrl : site === "same-origin";
}

/**
 * True if the browser says that a page of another site caused the request, by a link for instance. Such a request carries
 * the session cookie (SameSite=Lax), so it must not leave anything on record in the user's name.
 */
export const isFromElsewhere = (headers: { get(name: string): string | null }): boolean =>
  ["cross-site", "same-site"].includes(headers.get("sec-fetch-site") ?? "");
