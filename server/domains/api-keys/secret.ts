// Makes the secret of an API key. It is shown once; only its hash is stored.
import { randomBytes } from "node:crypto";
import type { AnswerSecret } from "@/server/kit/operation";
import { firstOf, hashToken, last4, mintToken } from "@/server/secrets/secret";
import type { ApiKey } from "./schema";

/** A new secret, and the columns that are stored of it. */
export function newSecret() {
  const secret = mintToken("apiKey", randomBytes(32));
  return { secret, columns: { hash: hashToken(secret), prefix: firstOf(secret), last4: last4(secret) } };
}

/** An answer with a secret is stored and replayed without it. A lost secret is replaced by rotating the key. */
export const shownOnce: AnswerSecret<ApiKey> = {
  without: (key) => ({ ...key, secret: null }),
  restored: async (key) => key,
};
