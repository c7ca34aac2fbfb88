// Step-up: dangerous operations require a recent sign-in.
import type { Actor } from "../kit/context";
import { Failure } from "../kit/errors";
import { userOf } from "../kit/identity";
import { limits, minuteMs } from "../kit/limits";
import type { AccessRule } from "../kit/operation";

/** The user who calls from the dashboard; null for tokens and API keys. */
export function dashboardUser(actor: Actor) {
  const user = userOf(actor);
  return user?.sessionKind === "cookie" ? user : null;
}

/**
 * Whether the sign-in is recent enough for step-up in the dashboard. Tokens and API keys always pass: unlike a browser,
 * they are not left unattended.
 */
export const isFresh = (actor: Actor, now: number): boolean => isRecent(dashboardUser(actor), now);

/**
 * Refuses with `reauthentication_required` unless the sign-in is as fresh as the row asks. Refreshing a token is no
 * sign-in.
 */
export function checkFreshSignIn({ needsFreshSignIn }: AccessRule, actor: Actor, now: number): void {
  if (needsFreshSignIn === undefined) return;
  const user = needsFreshSignIn === "always" ? userOf(actor) : dashboardUser(actor);
  if (!isRecent(user, now)) throw new Failure("reauthentication_required", 400);
}

const isRecent = (user: { authenticatedAt: number } | null, now: number): boolean =>
  user === null || now - user.authenticatedAt <= limits.freshSignInMinutes * minuteMs;
