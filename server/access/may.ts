// Reads the access table: whether a caller may do what a row describes.
import { type UserRole, userRoles } from "@/db/schema/values";
import type { Actor } from "../kit/context";
import type { AccessRule, Fail } from "../kit/operation";
import { type RuleName, rules } from "./rules";

type ActorOf<Type extends Actor["type"]> = Extract<Actor, { type: Type }>;

/** The parts of a caller that the table needs. Every {@link Actor} has them. */
type Caller =
  | ActorOf<"anonymous">
  | (Pick<ActorOf<"user">, "type" | "role" | "lacksFactor"> & { readonly userId?: string })
  | Pick<ActorOf<"api_key">, "type" | "scopes" | "accountId">;

/** Facts besides the caller that some rows depend on. */
interface Facts {
  /**
   * The owner of the object; null if it has none. Without this fact, the row is checked as for an object that the
   * caller owns.
   */
  ownerUserId?: string | null;
  /** The caller's organization. */
  organization?: { isLive: boolean; membersRecordPayments: boolean };
}

/** Whether the row admits this caller to the operation at all, whatever the object. */
export function mayCall(rule: AccessRule, caller: Caller): boolean {
  switch (caller.type) {
    case "anonymous":
      return rule.credential !== "required";
    case "user":
      return hasReach(rule, caller.role) && (!caller.lacksFactor || rule.worksWithoutFactor === true);
    case "api_key":
      return hasScope(rule, caller.scopes) && !isExcludedByBinding(rule, caller);
  }
}

/** Whether the row admits only admins or needs a fresh sign-in. Then the caller is confirmed in the transaction. */
export const isPrivileged = ({ needsFreshSignIn, member, viewer, operator }: AccessRule): boolean =>
  needsFreshSignIn !== undefined || [member, viewer, operator].every((reach) => reach === "none");

const hasScope = ({ apiKey }: AccessRule, scopes: readonly string[]): boolean =>
  apiKey === "any" || (apiKey !== null && scopes.includes(apiKey));

/** False also for a role that a newer version has given: what this version does not know is not allowed. */
const hasReach = (rule: AccessRule, role: UserRole): boolean => ["own", "organization"].includes(rule[role]);

/** Whether the caller may do what the row describes, given the facts on which the row depends. */
export function may(name: RuleName, caller: Caller, { ownerUserId, organization }: Facts = {}): boolean {
  const rule: AccessRule = rules[name];
  if (!mayCall(rule, caller)) return false;
  if (caller.type !== "user") return true;
  const isOwnOnly = rule[caller.role] === "own" || caller.lacksFactor === true;
  if (isOwnOnly && ownerUserId !== undefined && ownerUserId !== caller.userId) return false;
  if (rule.liveMemberNeeds === undefined || caller.role !== "member") return true;
  if (organization === undefined) throw new Error(`The row ${name} depends on the organization.`);
  return !organization.isLive || organization[rule.liveMemberNeeds];
}

/** Like {@link may}, for a user of whom only the role is known, such as one who is not the caller. */
export const roleMay = (name: RuleName, role: UserRole): boolean => may(name, { type: "user", role });

/** Whether the role has more than the rights of a member, so that only admins give it and remove who has it. */
export const isStaff = (role: UserRole): boolean => role !== "member";

/** The roles of admins: those that can make admins. For queries; {@link roleMay} answers for one user. */
export const adminRoles: readonly UserRole[] = userRoles.filter((role) => roleMay("users.create.admin", role));

/** Refuses with `insufficient_permissions` unless {@link may} allows it. */
export function checkMay(
  name: RuleName,
  caller: Caller,
  fail: Fail<"insufficient_permissions">,
  facts: Facts = {},
): void {
  if (!may(name, caller, facts)) fail("insufficient_permissions", refusalText(rules[name], caller));
}

/** What the caller would need; undefined if the error code says enough. */
export function refusalText(rule: AccessRule, caller: Caller): string | undefined {
  switch (caller.type) {
    case "anonymous":
      return rule.refusal;
    case "api_key":
      if (rule.apiKey === null) return rule.refusal ?? "API keys cannot do this.";
      if (isExcludedByBinding(rule, caller)) return "API keys that are bound to one account cannot do this.";
      return hasScope(rule, caller.scopes) ? rule.refusal : `This needs the scope ${rule.apiKey}.`;
    case "user":
      return rule.refusal ?? (hasReach(rule, caller.role) ? undefined : neededRole(rule));
  }
}

/** The roles that the row admits, in words. */
function neededRole(rule: AccessRule): string | undefined {
  const roles = userRoles.filter((role) => hasReach(rule, role));
  const last = roles.at(-1);
  if (last === undefined) return undefined;
  const others = roles.slice(0, -1);
  return `This needs the role ${others.length === 0 ? last : `${others.join(", ")} or ${last}`}.`;
}

const isExcludedByBinding = (rule: AccessRule, caller: Caller): boolean =>
  caller.type === "api_key" && caller.accountId !== null && rule.boundApiKey === "none";
