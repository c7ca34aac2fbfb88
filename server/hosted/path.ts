// The paths of hosted pages.

/** The path of a link's pay page. */
export const payPathOf = (token: string): string => `/pay/${encodeURIComponent(token)}`;

/** The path of a password-reset link. */
export const resetPathOf = (token: string): string => `/reset-password/${encodeURIComponent(token)}`;

/** The path of a link about an e-mail address. */
export const emailPathOf = (token: string): string => `/email/${encodeURIComponent(token)}`;

/** The path of a card link. */
export const cardPathOf = (token: string): string => `/card/${encodeURIComponent(token)}`;

/** The path of the page for a forgotten password. */
export const forgotPath = "/forgot-password";

/** The path of an invitation's link. */
export const invitationPathOf = (token: string): string => `/invitation/${encodeURIComponent(token)}`;

/** The path of the page for signing up. */
export const signUpPath = "/sign-up";

/** The path of the sandbox's page for a charge that waits for confirmation. */
export const challengePathOf = (reference: string): string => `/sandbox/challenge/${encodeURIComponent(reference)}`;

const noQuery = new URLSearchParams();

/** The query of an address that consists of path and query. */
export function queryOf(url: string): URLSearchParams {
  const at = url.indexOf("?");
  return at < 0 ? noQuery : new URLSearchParams(url.slice(at + 1));
}
