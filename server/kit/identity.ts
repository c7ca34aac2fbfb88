// Who a caller is: for records, limits and defaults. What it may do is decided in server/access alone.
import type { Actor } from "./context";

type User = Extract<Actor, { type: "user" }>;

/** The user who calls; null for an API key and for a caller without a credential. */
export const userOf = (actor: Actor): User | null => (actor.type === "user" ? actor : null);

export const isAnonymous = (actor: Actor): actor is Extract<Actor, { type: "anonymous" }> => actor.type === "anonymous";

/** The id of the user or API key that calls; null without a credential. */
export function idOf(actor: Actor): string | null {
  switch (actor.type) {
    case "anonymous":
      return null;
    case "user":
      return actor.userId;
    case "api_key":
      return actor.keyId;
  }
}

/** The organization of the caller; null without a credential. */
export const organizationOf = (actor: Actor): string | null =>
  actor.type === "anonymous" ? null : actor.organizationId;
