// The only spelling of a path that is served. Anything that could name a second route to the same resource is refused.

/** Segments of unreserved characters, some delimiters and escapes; no empty segment, no `.` or `..`, no `;`. */
const plainPath = /^(?:\/(?!\.{1,2}(?:\/|$))(?:[\w\-.~!$&'()*+,=:@]|%[0-9A-Fa-f]{2})+)*\/?$/;

/** Escapes of characters that need none, of control characters, and of the separators `/` and `\`. */
const needlessEscape = /%(?:[01][0-9A-F]|2[DEF]|3\d|4[1-9A-F]|5[0-9ACF]|6[1-9A-F]|7[0-9AEF])/i;

/**
 * Whether a path is in its normal form (RFC 3986, section 6.2.2). Routers disagree on other forms: one checks
 * `/%2e/v1`, the next serves `/v1`.
 */
export function isNormalPath(path: string): boolean {
  if (path === "" || !plainPath.test(path)) return false;
  if (!path.includes("%")) return true;
  if (needlessEscape.test(path)) return false;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** The path of a request target, without the query. */
export function pathOf(target: string): string {
  const end = target.indexOf("?");
  return end < 0 ? target : target.slice(0, end);
}

/** A server must also accept a request target in absolute form (RFC 9112, section 3.2.2). */
export const withoutOrigin = (target: string): string =>
  target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*(?=[/?#]|$)/i, "") || "/";
