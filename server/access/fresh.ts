// Step-up: dangerous operations in the dashboard require a recent sign-in.
import type { Actor } from "../kit/context";
import { Failure } from "../kit/errors";
import { userOf } from "../kit/identity";
import { limits, minuteMs } from "../kit/limits";

/** The user who calls from the dashboard; null for tokens and API keys. */
export function dashboardUser(actor: Actor) {
  const user = userOf(actor);
  return user?.sessionKind === "cookie" ? user : null;
}

/**
 * Whether the sign-in is recent enough for step-up. Tokens and API keys always pass: unlike a browser, they are not
 * left unattended.
 */
export function isFresh(actor: Actor, now: number): boolean {
  const user = dashboardUser(actor);
  return user === null || now - user.authenticatedAt <= limits.freshSignInMinutes * minuteMs;
}

/** Refuses with `reauthentication_required` unless the sign-in is fresh. */
export function checkFreshSignIn(actor: Actor, now: number): void {
  if (!isFresh(actor, now)) throw new Failure("reauthentication_required", 400);
}
