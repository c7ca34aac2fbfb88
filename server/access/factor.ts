// Second factors that an organization requires: from which users, and what a user without one may do.
import type { MfaRequirement, UserRole } from "@/db/schema/values";
import type { Actor } from "../kit/context";
import { Failure } from "../kit/errors";
import { userOf } from "../kit/identity";
import type { AccessRule } from "../kit/operation";

/** Whether users with this role must have a second factor. A requirement that is unknown here counts as everyone. */
export const needsFactor = (required: MfaRequirement, role: UserRole): boolean =>
  required !== "none" && (required !== "admins" || role === "admin");

/** Marks a caller who lacks a required second factor; empty for any other caller. */
export const lackedFactor = (
  required: MfaRequirement,
  { role, mfaEnabled }: { role: UserRole; mfaEnabled: boolean },
): { lacksFactor?: true } => (!mfaEnabled && needsFactor(required, role) ? { lacksFactor: true } : {});

/** Refuses with `mfa_enrollment_required` a user who lacks the factor, unless the row lets such users do it. */
export function checkFactor({ worksWithoutFactor }: AccessRule, actor: Actor): void {
  if (userOf(actor)?.lacksFactor && !worksWithoutFactor) throw new Failure("mfa_enrollment_required", 400);
}
