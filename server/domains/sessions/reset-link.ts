// Password reset links: created by the command line, read by their token, invalid once the user's credentials change.
import { createHash, randomBytes } from "node:crypto";
import type { Reader } from "@/db/client";
import { readUser, type UserRow } from "@/server/domains/users/store";
import type { WriteContext } from "@/server/kit/context";
import { limits, minuteMs } from "@/server/kit/limits";
import { hashToken, mintToken, parseToken } from "@/server/secrets/secret";
import { findReset, putReset } from "./reset-store";

/** Invalidates the link when the password or the e-mail address changes. */
const sealOf = ({ passwordHash, emailKey }: UserRow): string =>
  createHash("sha256")
    .update(JSON.stringify([passwordHash, emailKey]))
    .digest("hex");

/** Creates the user's only valid link and returns its URL. */
export async function makeResetLink({ db, now, runtime }: WriteContext, user: UserRow): Promise<string> {
  const token = mintToken("passwordReset", randomBytes(32));
  await putReset(db, {
    userId: user.id,
    hash: hashToken(token),
    seal: sealOf(user),
    createdAt: now,
    expiresAt: now + limits.resetLinkMinutes * minuteMs,
    usedAt: null,
  });
  return `${runtime.env.appUrl}/reset-password/${token}`;
}

/**
 * The state of the link with this token at `now`, with its user while it is open: `used` once it has set a password;
 * `expired` also if it is unknown or replaced, or if the user's credentials have changed since.
 */
export async function readResetLink(
  q: Reader,
  text: string,
  now: number,
): Promise<{ state: "open"; hash: string; user: UserRow } | { state: "used" | "expired" }> {
  const token = parseToken("passwordReset", text);
  const row = token === null ? undefined : await findReset(q, hashToken(token));
  if (!row) return { state: "expired" };
  if (row.usedAt !== null) return { state: "used" };
  const user = await readUser(q, row.userId);
  if (user?.status !== "active" || now >= row.expiresAt || row.seal !== sealOf(user)) return { state: "expired" };
  return { state: "open", hash: row.hash, user };
}
