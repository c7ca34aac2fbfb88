// Identifies a caller, for records, limits and defaults. Only server/access decides what it may do.
import type { Actor } from "./context";

type User = Extract<Actor, { type: "user" }>;

/** The calling user; null for an API key and for an anonymous caller. */
export const userOf = (actor: Actor): User | null => (actor.type === "user" ? actor : null);

/** The calling API key; null for a user and for an anonymous caller. */
export const apiKeyOf = (actor: Actor): Extract<Actor, { type: "api_key" }> | null =>
  actor.type === "api_key" ? actor : null;

export const isAnonymous = (actor: Actor): actor is Extract<Actor, { type: "anonymous" }> => actor.type === "anonymous";

/** The id of the calling user or API key; null for an anonymous caller. */
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

/** The caller's organization; null for an anonymous caller. */
export const organizationOf = (actor: Actor): string | null =>
  actor.type === "anonymous" ? null : actor.organizationId;
