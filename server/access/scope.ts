// What a caller may see of its organization. rules.ts decides what it may do there; every query takes the scope.
import type { Actor, Scope } from "../kit/context";
import { may } from "./may";

/** The part of its organization that the caller may see; null without a credential. */
export function scopeOf(actor: Actor): Scope | null {
  switch (actor.type) {
    case "anonymous":
      return null;
    case "user": {
      const ownerUserId = may("accounts.list", actor) ? null : actor.userId;
      return { organizationId: actor.organizationId, ownerUserId, accountId: null };
    }
    case "api_key":
      return { organizationId: actor.organizationId, ownerUserId: null, accountId: actor.accountId };
  }
}

/** Whether the caller sees this user of its organization: users who may not list the others see only themselves. */
export const showsUser = (actor: Actor, userId: string): boolean =>
  actor.type !== "user" || actor.userId === userId || may("users.list", actor);
