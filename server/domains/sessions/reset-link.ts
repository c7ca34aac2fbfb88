// Password reset links: read by their token, invalid once the user's credentials change.
import { createHash } from "node:crypto";
import type { Reader } from "@/db/client";
import type { MailLink } from "@/server/domains/mails/links";
import { readUser, type UserRow } from "@/server/domains/users/store";
import type { WriteContext } from "@/server/kit/context";
import { limits, minuteMs } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { newOneTimeLink, oneTimeToken } from "@/server/secrets/one-time-link";
import { hashToken, parseToken } from "@/server/secrets/secret";
import { findReset, putReset, type ResetRow } from "./reset-store";

/** What a link stores to become invalid when the user's password or e-mail address changes. */
export const sealOf = ({ passwordHash, emailKey }: UserRow): string =>
  createHash("sha256")
    .update(JSON.stringify([passwordHash, emailKey]))
    .digest("hex");

/** Creates the user's only valid link. The caller has locked the user. */
export async function makeResetLink({ db, now, runtime }: WriteContext, user: UserRow): Promise<ResetRow> {
  const row: ResetRow = {
    ...{ userId: user.id, ...newOneTimeLink(runtime.keys, "passwordReset"), seal: sealOf(user) },
    ...{ createdAt: now, expiresAt: now + limits.resetLinkMinutes * minuteMs, usedAt: null },
  };
  await putReset(db, row);
  return row;
}

/** The link's URL; null once its server key is gone. */
export function resetUrl({ keys, env }: Pick<Runtime, "keys" | "env">, row: ResetRow): string | null {
  const token = oneTimeToken(keys, "passwordReset", row);
  return token && `${env.appUrl}/reset-password/${token}`;
}

/** The link in a mail, named by its hash, while it is open. */
export const resetMailLink: MailLink = async (q, runtime, hash) => {
  const row = await findReset(q, hash);
  return row && (await stateOf(q, row, runtime.clock.now())).state === "open" ? resetUrl(runtime, row) : null;
};

type Link = { state: "open"; hash: string; user: UserRow } | { state: "used" | "expired" };

/**
 * The state of the link with this token at `now`, with its user while it is open: `used` once it has set a password;
 * `expired` also if it is unknown or replaced, or if the user's credentials have changed since.
 */
export async function readResetLink(q: Reader, text: string, now: number): Promise<Link> {
  const token = parseToken("passwordReset", text);
  const row = token === null ? undefined : await findReset(q, hashToken(token));
  return row ? stateOf(q, row, now) : { state: "expired" };
}

async function stateOf(q: Reader, row: ResetRow, now: number): Promise<Link> {
  if (row.usedAt !== null) return { state: "used" };
  const user = await readUser(q, row.userId);
  if (user?.status !== "active" || now >= row.expiresAt || row.seal !== sealOf(user)) return { state: "expired" };
  return { state: "open", hash: row.hash, user };
}
