// Links about a user's e-mail address: creating, mailing and checking them.
import type { Reader } from "@/db/client";
import type { MailLink } from "@/server/domains/mails/links";
import { sealOf } from "@/server/domains/sessions/reset-link";
import { distrustful } from "@/server/domains/sessions/rules";
import { hasEndedSince } from "@/server/domains/sessions/store";
import { findByEmail, readUser, type UserRow } from "@/server/domains/users/store";
import type { WriteContext } from "@/server/kit/context";
import { foldEmail } from "@/server/kit/fields";
import { dayMs, hourMs, limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { newOneTimeLink, oneTimeToken } from "@/server/secrets/one-time-link";
import { hashToken, parseToken } from "@/server/secrets/secret";
import {
  deleteUnused,
  type EmailLinkKind,
  type EmailLinkRow,
  findLink,
  findUnused,
  insertLink,
  isReserved,
} from "./store";

const lifeMs: Readonly<Record<EmailLinkKind, number>> = {
  verify: limits.emailLinks.hours * hourMs,
  change: limits.emailLinks.hours * hourMs,
  undo: limits.emailLinks.undoDays * dayMs,
};

/**
 * Makes a link and returns its hash. A new link replaces the user's earlier one of this kind, except undo links: each
 * change of the address has its own. The caller has locked the user.
 */
export async function makeEmailLink(
  { db, now, runtime }: WriteContext,
  user: UserRow,
  kind: EmailLinkKind,
  email: string,
): Promise<string> {
  if (kind !== "undo") await deleteUnused(db, user.id, kind);
  const columns = newOneTimeLink(runtime.keys, "emailLink");
  await insertLink(db, {
    ...{ ...columns, userId: user.id, kind, email, emailKey: foldEmail(email) },
    // Changing the password or the address also ends a change that somebody else began.
    ...{ seal: kind === "change" ? sealOf(user) : null },
    ...{ createdAt: now, expiresAt: now + lifeMs[kind], usedAt: null },
  });
  return columns.hash;
}

/** The URL of a link, found by its hash, while the link is open. */
export const emailMailLink: MailLink = async (q, { keys, env, clock }: Runtime, hash) => {
  const row = await findLink(q, hash);
  const token = row && oneTimeToken(keys, "emailLink", row);
  if (!row || !token) return null;
  const { state } = await stateOf(q, row, clock.now());
  // Only those who read mail to the address learn whether somebody has it.
  return state === "open" || state === "taken" ? `${env.appUrl}/email/${token}` : null;
};

type Link =
  | { state: "open"; row: EmailLinkRow; user: UserRow }
  /** `taken`: somebody else has the address, or may still get it back. */
  | { state: "used" | "taken"; row: EmailLinkRow }
  | { state: "expired"; row?: EmailLinkRow };

/** The link with this token at `now`: `expired` also if it is unknown, replaced or void. */
export async function readEmailLink(q: Reader, text: string, now: number): Promise<Link> {
  const token = parseToken("emailLink", text);
  const row = token === null ? undefined : await findLink(q, hashToken(token));
  return row ? stateOf(q, row, now) : { state: "expired" };
}

async function stateOf(q: Reader, row: EmailLinkRow, now: number): Promise<Link> {
  if (row.usedAt !== null) return { state: "used", row };
  const user = await readUser(q, row.userId);
  if (user?.status !== "active" || now >= row.expiresAt || (await isVoid(q, row, user))) {
    return { state: "expired", row };
  }
  if (row.kind === "verify") return { state: user.emailVerifiedAt === null ? "open" : "used", row, user };
  return (await isTaken(q, row, now)) ? { state: "taken", row } : { state: "open", row, user };
}

/**
 * Whether the link no longer applies: the user's address or password has changed, or a session of the user has since
 * been ended for a reason that suggests a stranger used it.
 */
async function isVoid(q: Reader, { kind, emailKey, seal, createdAt }: EmailLinkRow, user: UserRow): Promise<boolean> {
  if (kind === "verify") return emailKey !== user.emailKey;
  if (kind === "undo") return emailKey === user.emailKey;
  const ended = { userId: user.id, since: createdAt, reasons: distrustful };
  return seal !== sealOf(user) || (await hasEndedSince(q, ended));
}

/** The open link that would change the user's address; null if there is none. */
export async function pendingChange(q: Reader, user: UserRow, now: number): Promise<EmailLinkRow | null> {
  const row = await findUnused(q, user.id, "change");
  return row === undefined || now >= row.expiresAt || (await isVoid(q, row, user)) ? null : row;
}

/** Whether a user other than `userId` has the address, or can still get it back by undoing a change. */
async function isTaken(
  q: Reader,
  { emailKey, userId }: Pick<EmailLinkRow, "emailKey" | "userId">,
  now: number,
): Promise<boolean> {
  const holder = await findByEmail(q, emailKey);
  return (holder !== undefined && holder.id !== userId) || isReserved(q, { emailKey, userId, now });
}
