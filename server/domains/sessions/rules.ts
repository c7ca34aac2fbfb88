// Rules of sessions: reasons for their end, expiry, and what the reuse of a spent token means.
import { limits } from "@/server/kit/limits";

/** Reasons that a client may state. */
const clientReasons = [
  "user_logout",
  "logout_everywhere",
  "device_lost",
  "credentials_compromised",
  "suspicious_activity",
  "password_changed",
  "other",
] as const;

/** Reasons that only the service sets, or, for `admin_action`, an admin may state. */
const serviceReasons = [
  "admin_action",
  "refresh_token_reuse",
  "session_limit",
  "replaced",
  "user_removed",
  "account_closed",
  "database_restored",
  "email_change_undone",
] as const;

/** All reasons for the end of a session. */
export const endReasons = [...clientReasons, ...serviceReasons];

type ClientReason = (typeof clientReasons)[number];
export type EndReason = (typeof endReasons)[number];

export interface StatedReason {
  reason: EndReason;
  /** The client's own text, if it is not a known reason. */
  text: string | null;
}

const isClientReason = (text: string): text is ClientReason => (clientReasons as readonly string[]).includes(text);

/** How a client's `reason` is stored: a known value, or `other` with the text. Only an admin states `admin_action`. */
export function statedReason(given: string | undefined, by: { isAdmin: boolean; isOwn: boolean }): StatedReason {
  const text = given?.trim() ?? "";
  if (text === "") return { reason: by.isOwn ? "user_logout" : "admin_action", text: null };
  if (isClientReason(text)) return { reason: text, text: null };
  return text === "admin_action" && by.isAdmin ? { reason: text, text: null } : { reason: "other", text };
}

/** Reasons to suspect that a stranger used a session of the user. */
export const distrustful: readonly EndReason[] = [
  ...(["logout_everywhere", "device_lost", "credentials_compromised", "suspicious_activity"] as const),
  ...(["admin_action", "refresh_token_reuse"] as const),
];

interface Timed {
  idleUntil: number | null;
  absoluteUntil: number;
}

/** When a session expires unless it is used or ended (epoch ms). */
export const expiryOf = ({ idleUntil, absoluteUntil }: Timed): number =>
  Math.min(absoluteUntil, idleUntil ?? absoluteUntil);

/** What it means when a spent refresh token is used again. */
type SpentMeaning = "race_lost" | "slip" | "reuse";

/**
 * A request that arrived before the token was spent lost a race. One that arrives shortly after is a client repeating
 * its request. A later one comes from someone with a stolen copy (RFC 9700, section 4.14.2).
 */
export function meaningOfSpent(call: { spentAt: number; receivedAt: number; now: number }): SpentMeaning {
  if (call.receivedAt <= call.spentAt) return "race_lost";
  return call.now < call.spentAt + limits.refresh.slipSeconds * 1000 ? "slip" : "reuse";
}
