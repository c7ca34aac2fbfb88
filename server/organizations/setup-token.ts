// The token of the one-time set-up link: derived from the server key, so it needs no storage and stays the same.
import { timingSafeEqual } from "node:crypto";
import { deriveBytes, hashToken, mintToken, parseToken } from "../kit/secret";
import type { ServerKeys } from "../kit/server-key";

const tokenUnder = (keys: ServerKeys, keyId: string) => mintToken("setup", deriveBytes(keys, keyId, "setup"));

/** Where a browser sets the instance up; whoever has the link becomes the first admin. */
export const setupLink = (appUrl: string, keys: ServerKeys): string =>
  `${appUrl}/setup?token=${tokenUnder(keys, keys.current.id)}`;

/** Whether the text is the token of this installation, under any of its keys. */
export function isSetupToken(keys: ServerKeys, text: string): boolean {
  const given = parseToken("setup", text);
  if (given === null) return false;
  const hash = Buffer.from(hashToken(given));
  return keys.all.some(({ id }) => timingSafeEqual(hash, Buffer.from(hashToken(tokenUnder(keys, id)))));
}
