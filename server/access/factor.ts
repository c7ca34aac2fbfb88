// Second factors that an organization requires: of whom, and what a user without one may do.
import type { MfaRequirement, UserRole } from "@/db/schema/values";
import type { Actor } from "../kit/context";
import { Failure } from "../kit/errors";
import { userOf } from "../kit/identity";
import type { AccessRule } from "../kit/operation";

/** Whether the organization requires a second factor of a user with this role. An unknown requirement is for everyone. */
export const needsFactor = (required: MfaRequirement, role: UserRole): boolean =>
  required !== "none" && (required !== "admins" || role === "admin");

/** The mark of a caller of whom a second factor is required and who has none; empty for any other caller. */
export const lackedFactor = (
  required: MfaRequirement,
  { role, mfaEnabled }: { role: UserRole; mfaEnabled: boolean },
): { lacksFactor?: true } => (!mfaEnabled && needsFactor(required, role) ? { lacksFactor: true } : {});

/** Refuses with `mfa_enrollment_required` a user who lacks the factor, unless the row lets such users do it. */
export function checkFactor({ worksWithoutFactor }: AccessRule, actor: Actor): void {
  if (userOf(actor)?.lacksFactor && !worksWithoutFactor) throw new Failure("mfa_enrollment_required", 400);
}
