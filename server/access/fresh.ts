// Step-up: what is dangerous needs a recent sign-in when it is done in the dashboard.
import type { Actor } from "../kit/context";
import { Failure } from "../kit/errors";

/** A sign-in older than this is not fresh (OWASP ASVS 5.0 7.5.3). */
const freshSignInMs = 10 * 60_000;

/** Whether the actor may do what needs step-up. A token or an API key always may: nobody leaves one unattended. */
export const isFresh = (actor: Actor, now: number): boolean =>
  actor.type !== "user" || actor.sessionKind !== "cookie" || now - actor.authenticatedAt <= freshSignInMs;

/** Refuses with `reauthentication_required` what needs a fresh sign-in and has none. */
export function checkFreshSignIn(actor: Actor, now: number): void {
  if (!isFresh(actor, now)) throw new Failure("reauthentication_required", 400);
}
