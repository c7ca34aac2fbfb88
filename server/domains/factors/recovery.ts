// Recovery codes: ten random texts, each of which replaces the second factor once. Only their hashes are stored.
import { createHmac, randomBytes } from "node:crypto";
import { limits } from "@/server/kit/limits";
import type { ServerKeys } from "@/server/process/server-key";

/** Crockford's base32: no I, L, O or U, which are misread. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** Of 5 bits each: 80 bits. */
const characters = 16;
const groups = /.{4}(?=.)/g;

/** Ten new codes, as they are shown: `7QK3-0M9T-4XZB-C2D8`. */
export const newCodes = (): string[] =>
  Array.from({ length: limits.recoveryCodes }, () => {
    const drawn = [...randomBytes(characters)].map((byte) => alphabet.charAt(byte % alphabet.length));
    return drawn.join("").replace(groups, "$&-");
  });

/** The code as it was made, however it was typed; null if the text is no such code. */
export function readCode(text: string): string | null {
  const plain = text.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
  return plain.length === characters && [...plain].every((one) => alphabet.includes(one)) ? plain : null;
}

/**
 * The stored forms of a user's code under each server key, the current one first. 80 random bits and a key that is not
 * in the database need no slow hash.
 */
export const hashesOf = (keys: ServerKeys, userId: string, code: string): string[] =>
  keys.all.map(({ key }) =>
    createHmac("sha256", key)
      .update(JSON.stringify(["recovery code", userId, readCode(code)]))
      .digest("hex"),
  );
