// The two links of an invitation: one to hand over, and one in the mail. Only the latter verifies the address.
import type { Reader } from "@/db/client";
import type { MailLink } from "@/server/domains/mails/links";
import type { Runtime } from "@/server/process/runtime";
import { newOneTimeLink, oneTimeToken } from "@/server/secrets/one-time-link";
import { hashToken, parseToken } from "@/server/secrets/secret";
import { statusOf } from "./rules";
import { findByHash, type InvitationRow, readInvitation } from "./store";

/** The columns of both links of a new invitation. */
export function newLinks({ keys }: Pick<Runtime, "keys">) {
  const { hash: mailHash, nonce: mailNonce } = newOneTimeLink(keys, "invitation");
  return { ...newOneTimeLink(keys, "invitation"), mailHash, mailNonce };
}

const urlOf = ({ keys, env }: Pick<Runtime, "keys" | "env">, origin: { nonce: string; keyId: string }) => {
  const token = oneTimeToken(keys, "invitation", origin);
  return token && `${env.appUrl}/invitation/${token}`;
};

/** The URL that an admin hands over, while the invitation is open; null also once its server key is gone. */
export const invitationUrl = (runtime: Runtime, row: InvitationRow, now: number): string | null =>
  statusOf(row, now) === "open" ? urlOf(runtime, row) : null;

/** The URL in the mail of the invitation with this id, while it is open. */
export const invitationMailLink: MailLink = async (q, runtime, id) => {
  const row = await readInvitation(q, id);
  if (!row || statusOf(row, runtime.clock.now()) !== "open") return null;
  return urlOf(runtime, { nonce: row.mailNonce, keyId: row.keyId });
};

/** The invitation of a token, and whether the token is the one from the mail; undefined for an unknown token. */
export async function invitationOf(
  q: Reader,
  text: string,
): Promise<{ row: InvitationRow; provesAddress: boolean } | undefined> {
  const token = parseToken("invitation", text);
  const hash = token === null ? null : hashToken(token);
  const row = hash === null ? undefined : await findByHash(q, hash);
  return row && { row, provesAddress: row.mailHash === hash };
}
