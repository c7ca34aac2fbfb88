// Links that work once: a token is derived from a stored nonce, for instance when a mail is sent, and found by its hash.
import { randomBytes } from "node:crypto";
import type { ServerKeys } from "@/server/process/server-key";
import { deriveBytes, hashToken, mintToken, type TokenKind } from "./secret";

/** The columns of a one-time link. They never contain the token itself. */
interface LinkColumns {
  nonce: string;
  keyId: string;
  /** SHA-256 of the token, hexadecimal. */
  hash: string;
}

type LinkKind = Extract<TokenKind, "passwordReset" | "emailLink" | "invitation" | "cardLink">;

/** A new link. Nobody can guess its token, and only the server key and its nonce derive it. */
export function newOneTimeLink(keys: ServerKeys, kind: LinkKind): LinkColumns {
  const origin = { nonce: randomBytes(16).toString("base64url"), keyId: keys.current.id };
  return { ...origin, hash: hashToken(derived(keys, kind, origin)) };
}

/** The token of a stored link; null once the server key that derives it is gone, and for links without a nonce. */
export function oneTimeToken(
  keys: ServerKeys,
  kind: LinkKind,
  { nonce, keyId }: { nonce: string | null; keyId: string | null },
): string | null {
  if (nonce === null || keyId === null || !keys.all.some(({ id }) => id === keyId)) return null;
  return derived(keys, kind, { nonce, keyId });
}

const derived = (keys: ServerKeys, kind: LinkKind, { nonce, keyId }: Omit<LinkColumns, "hash">): string =>
  mintToken(kind, deriveBytes(keys, keyId, "one-time link", kind, nonce));
