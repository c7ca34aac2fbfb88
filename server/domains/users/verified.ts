// Users who have not verified their e-mail address can sign in, but not do everything yet.
import type { Reader } from "@/db/client";
import { isLive } from "@/server/domains/organizations/organization";
import type { Actor } from "@/server/kit/context";
import { Failure } from "@/server/kit/errors";
import { userOf } from "@/server/kit/identity";
import type { AccessRule } from "@/server/kit/operation";

/** Refuses with `email_not_verified` what the rule allows only to users who have verified their address. */
export async function checkVerifiedEmail(q: Reader, { needsVerifiedEmail }: AccessRule, actor: Actor): Promise<void> {
  const user = userOf(actor);
  if (needsVerifiedEmail === undefined || !user?.hasUnverifiedEmail) return;
  if (needsVerifiedEmail === "always" || (await isLive(q, user.organizationId))) {
    throw new Failure("email_not_verified", 400);
  }
}
