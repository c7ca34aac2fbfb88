// Session tokens. API tokens are derived from the server key, so that an exchange can be replayed without storing them.
import { createHmac, randomBytes } from "node:crypto";
import type { ServerKeys } from "@/server/process/server-key";
import { deriveBytes, hashToken, last4, mintToken } from "@/server/secrets/secret";
import type { NewToken, TokenRow } from "./token-store";

/** What a token is derived from, besides the server key. */
interface Origin {
  session: { id: string; nonce: string };
  kind: TokenRow["kind"];
  generation: number;
  exchange: number;
}

function derive(keys: ServerKeys, keyId: string, { session, kind, generation, exchange }: Origin): string {
  return mintToken(
    kind,
    deriveBytes(keys, keyId, "session token", kind, session.id, session.nonce, generation, exchange),
  );
}

/** A new token of a session, and the row that stores its hash. Instants are epoch ms. */
export function issueToken(
  keys: ServerKeys,
  origin: Origin,
  at: { now: number; expiresAt: number },
): { token: string; row: NewToken } {
  const token = derive(keys, keys.current.id, origin);
  const { session, kind, generation, exchange } = origin;
  const row = { hash: hashToken(token), sessionId: session.id, kind, generation, exchange, last4: last4(token) };
  return { token, row: { ...row, issuedAt: at.now, expiresAt: at.expiresAt } };
}

/** A new cookie token. It is never replayed, so it is random and no key can derive it. Instants are epoch ms. */
export function randomCookie(
  sessionId: string,
  at: { now: number; expiresAt: number },
): { token: string; row: NewToken } {
  const token = mintToken("cookie", randomBytes(32));
  const row = { hash: hashToken(token), sessionId, kind: "cookie", generation: 0, exchange: 0 } as const;
  return { token, row: { ...row, last4: last4(token), issuedAt: at.now, expiresAt: at.expiresAt } };
}

/** Derives the token of a row again; null if the server key that derived it is gone. */
export function tokenOf(keys: ServerKeys, session: Origin["session"], row: TokenRow): string | null {
  for (const { id } of keys.all) {
    const token = derive(keys, id, { session, kind: row.kind, generation: row.generation, exchange: row.exchange });
    if (hashToken(token) === row.hash) return token;
  }
  return null;
}

/** HMACs of a text for one session under each server key, the current one first. */
export const sealsOf = (keys: ServerKeys, purpose: string, sessionId: string, text: string): string[] =>
  keys.all.map(({ key }) =>
    createHmac("sha256", key)
      .update(JSON.stringify([purpose, sessionId, text]))
      .digest("hex"),
  );
