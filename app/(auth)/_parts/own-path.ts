// Where to go after signing in: always an address of this app, whatever the link says (CWE-601, open redirect).

const home = "/dashboard";
/** An origin that no link can name by accident. */
const base = "http://own.invalid";

/** `next` if it is a path of this app, otherwise the dashboard. */
export function ownPath(next: string | readonly string[] | undefined): string {
  // Browsers read a backslash as a slash and drop tabs and line breaks, so "/\t/host" would leave the app.
  if (typeof next !== "string" || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(next)) return home;
  if (!URL.canParse(next, base)) return home;
  const url = new URL(next, base);
  const leaves = url.origin !== base || url.pathname.startsWith("//");
  const leadsBack = /^\/(sign-in|second-factor)/.test(url.pathname);
  return leaves || leadsBack ? home : url.pathname + url.search;
}
