// What an actor may call and see.
import type { Actor, Scope } from "../kit/context";
import type { AccessRule } from "../kit/operation";

/** Whether the rule admits this kind of caller. Access to particular objects is checked with the objects. */
export function mayCall(rule: AccessRule, actor: Actor): boolean {
  switch (actor.type) {
    case "anonymous":
      return rule.credential !== "required";
    case "user":
      return actor.role === "admin" ? rule.admin === "organization" : rule.member === "own";
    case "api_key":
      return rule.platform !== null && actor.scopes.includes(rule.platform);
  }
}

/** The part of its organization that the actor may see; null for anonymous callers. */
export function scopeOf(actor: Actor): Scope | null {
  switch (actor.type) {
    case "anonymous":
      return null;
    case "user": {
      const ownerUserId = actor.role === "admin" ? null : actor.userId;
      return { organizationId: actor.organizationId, ownerUserId, accountId: null };
    }
    case "api_key":
      return { organizationId: actor.organizationId, ownerUserId: null, accountId: actor.accountId };
  }
}
