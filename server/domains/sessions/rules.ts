// The rules of sessions: why they end, what stands at an instant, what a spent token means.

/** A token that was exchanged this recently is a client's slip, not a theft. */
export const reuseToleranceMs = 10_000;

/** For so long a lost answer is given again; not once one of its tokens has been used. */
export const replayMs = 10 * 60_000;

/** The session list's times are this exact, so that a call does not cost a write. */
export const noteUseEveryMs = 60_000;

/** Reasons that a client may give, to the letter. */
const clientReasons = [
  "user_logout",
  "logout_everywhere",
  "device_lost",
  "credentials_compromised",
  "suspicious_activity",
  "password_changed",
  "other",
] as const;

/** Reasons that only the service itself, or the role, can give. */
const serviceReasons = [
  "admin_action",
  "refresh_token_reuse",
  "session_limit",
  "replaced",
  "user_removed",
  "account_closed",
] as const;

export type ClientReason = (typeof clientReasons)[number];
export type EndReason = ClientReason | (typeof serviceReasons)[number];

export interface StatedReason {
  reason: EndReason;
  /** The client's own words, where they are none of the known values. */
  text: string | null;
}

const isClientReason = (text: string): text is ClientReason => (clientReasons as readonly string[]).includes(text);

/** What a client's `reason` is kept as: a known value, or `other` with the text. Only an admin states `admin_action`. */
export function statedReason(given: string | undefined, by: { isAdmin: boolean; isOwn: boolean }): StatedReason {
  const text = given?.trim() ?? "";
  if (text === "") return { reason: by.isOwn ? "user_logout" : "admin_action", text: null };
  if (isClientReason(text)) return { reason: text, text: null };
  return text === "admin_action" && by.isAdmin ? { reason: text, text: null } : { reason: "other", text };
}

interface Timed {
  idleUntil: number | null;
  absoluteUntil: number;
}

/** Epoch ms from which a session no longer stands, if nothing happens. */
export const expiryOf = ({ idleUntil, absoluteUntil }: Timed): number =>
  Math.min(absoluteUntil, idleUntil ?? absoluteUntil);

/** What a refresh token means that has been exchanged before. */
export type SpentMeaning = "race_lost" | "slip" | "reuse";

/**
 * A request that had arrived before the token was spent has lost a race; shortly after, a client repeats itself; later
 * somebody uses a copy (RFC 9700 section 4.14.2).
 */
export function meaningOfSpent(call: { spentAt: number; receivedAt: number; now: number }): SpentMeaning {
  if (call.receivedAt <= call.spentAt) return "race_lost";
  return call.now < call.spentAt + reuseToleranceMs ? "slip" : "reuse";
}
