// What a caller may see of its organization. rules.ts decides what it may do there; every query takes the scope.
import type { Actor, Scope } from "../kit/context";

/** The part of its organization that the caller may see; null without a credential. */
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

/** Whether the scope includes this user: a member sees no other users. */
export const showsUser = ({ ownerUserId }: Scope, userId: string): boolean =>
  ownerUserId === null || ownerUserId === userId;
