// When the token or the cookie of a call ends.
import type { ReadContext } from "@/server/kit/context";
import { hashToken } from "@/server/secrets/secret";
import { bearerToken } from "./authenticate";
import { findCredential } from "./token-store";

/** When the user's credential ends (epoch ms), if it is not used before; null for a caller without one. */
export async function endOfCredential({ db, request }: ReadContext): Promise<number | null> {
  const text = request.bearer === null ? request.cookie : bearerToken(request.bearer);
  const found = text === null ? undefined : await findCredential(db, hashToken(text));
  return found ? Math.min(found.token.expiresAt, found.session.idleUntil ?? Number.POSITIVE_INFINITY) : null;
}
