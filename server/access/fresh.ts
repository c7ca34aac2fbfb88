// Step-up: dangerous operations in the dashboard require a recent sign-in.
import type { Actor } from "../kit/context";
import { Failure } from "../kit/errors";
import { userOf } from "../kit/identity";

/** The user who calls from the dashboard; null for tokens and API keys. */
export function dashboardUser(actor: Actor) {
  const user = userOf(actor);
  return user?.sessionKind === "cookie" ? user : null;
}

/** A sign-in older than this is not fresh (OWASP ASVS 5.0 7.5.3). */
const freshSignInMs = 10 * 60_000;

/**
 * Whether the sign-in is recent enough for step-up. Tokens and API keys always pass: unlike a browser, they are not
 * left unattended.
 */
export function isFresh(actor: Actor, now: number): boolean {
  const user = dashboardUser(actor);
  return user === null || now - user.authenticatedAt <= freshSignInMs;
}

/** Refuses with `reauthentication_required` unless the sign-in is fresh. */
export function checkFreshSignIn(actor: Actor, now: number): void {
  if (!isFresh(actor, now)) throw new Failure("reauthentication_required", 400);
}
