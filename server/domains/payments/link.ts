// The pay link: a token derived from the request's id and a nonce, so that it can be shown again without being stored.
import { randomBytes } from "node:crypto";
import type { ServerKeys } from "@/server/process/server-key";
import { deriveBytes, hashToken, mintToken, parseToken } from "@/server/secrets/secret";

/** What a payment row keeps of its link: never the token itself. */
export interface LinkColumns {
  linkNonce: string;
  linkKeyId: string;
  /** SHA-256 of the token, hexadecimal. */
  linkHash: string;
}

/** A new link for the request with this id. */
export function newLink(keys: ServerKeys, paymentId: string): LinkColumns {
  const linkNonce = randomBytes(16).toString("base64url");
  const linkKeyId = keys.current.id;
  return { linkNonce, linkKeyId, linkHash: hashToken(tokenOf(keys, { id: paymentId, linkNonce, linkKeyId })) };
}

type Linked = { id: string } & Pick<LinkColumns, "linkNonce" | "linkKeyId">;

const tokenOf = (keys: ServerKeys, row: Linked): string =>
  mintToken("payLink", deriveBytes(keys, row.linkKeyId, "pay link", row.id, row.linkNonce));

/**
 * Where the payer pays: 256 bits that nobody can guess. Null once the server key that made it has been retired: the
 * link still works, but we cannot write it down again.
 */
export function paymentUrl(runtime: { keys: ServerKeys; env: { appUrl: string } }, row: Linked): string | null {
  if (!runtime.keys.all.some(({ id }) => id === row.linkKeyId)) return null;
  return `${runtime.env.appUrl}/pay/${tokenOf(runtime.keys, row)}`;
}

/** The receipt behind the link, once money has come in. */
export function receiptUrl(
  runtime: { keys: ServerKeys; env: { appUrl: string } },
  row: Linked,
  amountPaid: number,
): string | null {
  const url = amountPaid > 0 ? paymentUrl(runtime, row) : null;
  return url && `${url}/receipt`;
}

/** The hash under which a link's token is found; null for text that is no such token. */
export function linkHashOf(token: string): string | null {
  const parsed = parseToken("payLink", token);
  return parsed === null ? null : hashToken(parsed);
}
