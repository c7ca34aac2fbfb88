// Whether a request came from our own pages or from another site (OWASP CSRF cheat sheet: Fetch Metadata, Origin).

/**
 * True if the browser sends `Sec-Fetch-Site: same-origin` or, without that header, names `appUrl` as the Origin. False
 * for everything else, including a request with neither header.
 */
export function isSameOrigin(headers: { get(name: string): string | null }, appUrl: string): boolean {
  const site = headers.get("sec-fetch-site");
  return site === null ? headers.get("origin") === appUrl : site === "same-origin";
}

/**
 * True if the browser says that another site caused the request, for instance by a link. Such a request carries the
 * session cookie (SameSite=Lax), so it must not record anything in the user's name.
 */
export const isFromOtherSite = (headers: { get(name: string): string | null }): boolean =>
  ["cross-site", "same-site"].includes(headers.get("sec-fetch-site") ?? "");
