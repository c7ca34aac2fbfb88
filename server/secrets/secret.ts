// Bearer secrets: format, checksum and hash, and deriving tokens from the server key instead of storing them.
import { createHmac, hash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { ServerKeys } from "@/server/process/server-key";

/**
 * What a token is for. The letters after `qt` name it, so that a leaked token is recognized in logs and repositories.
 */
const letters = {
  access: "at",
  refresh: "rt",
  apiKey: "sk",
  cookie: "cs",
  payLink: "pl",
  setup: "su",
  device: "dv",
  passwordReset: "pw",
  invitation: "iv",
  emailLink: "em",
  cardLink: "sm",
} as const;

export type TokenKind = keyof typeof letters;

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const secretLength = 43;
/** The checksum lets a scanner rule out look-alikes offline. */
const checksumLength = 6;

/** Finds a token in any text. */
export const tokenPattern = new RegExp(`\\bqt(?:${Object.values(letters).join("|")})_[0-9A-Za-z]{49}\\b`);

const exactly = Object.fromEntries(
  Object.entries(letters).map(([kind, code]) => [kind, new RegExp(`^qt${code}_[0-9A-Za-z]{49}$`)]),
) as Record<TokenKind, RegExp>;

/** Encodes 32 bytes as a token: `qt`, kind, `_`, the bytes in base62, and the CRC-32 of all this in base62. */
export function mintToken(kind: TokenKind, bytes: Uint8Array): string {
  if (bytes.length !== 32) throw new RangeError("A token carries 32 bytes.");
  const secret = base62(bytes);
  const unchecked = `qt${letters[kind]}_${secret}`;
  return unchecked + checksum(unchecked);
}

/**
 * Returns the text if it is a token of this kind with a valid checksum, else null. This saves a database look-up; only
 * the stored hash shows whether the token was ever issued.
 */
export function parseToken(kind: TokenKind, text: string): string | null {
  if (!exactly[kind].test(text)) return null;
  const unchecked = text.slice(0, -checksumLength);
  return checksum(unchecked) === text.slice(-checksumLength) ? text : null;
}

/** The stored form of a token: SHA-256 in hexadecimal. 256 random bits need no slow hash (OWASP ASVS 6.5.2). */
export const hashToken = (token: string): string => hash("sha256", token, "hex");

/** The characters of a stored token that are shown, so that its owner can recognize it. */
export const last4 = (token: string): string => token.slice(-4);

/** The kind of a token and the first characters of its secret, which are shown beside {@link last4}. */
export const firstOf = (token: string): string => token.slice(0, "qtsk_".length + 4);

/**
 * Derives 32 bytes from the server key `keyId`, a label and parts: HMAC-SHA256 over their JSON, so that different parts
 * never collide. Throws if the installation no longer has that key.
 */
export function deriveBytes(
  keys: ServerKeys,
  keyId: string,
  label: string,
  ...parts: readonly (string | number)[]
): Buffer {
  const serverKey = keys.all.find((each) => each.id === keyId);
  if (!serverKey) throw new Error(`SECRET_KEY: the key ${keyId} is missing`);
  return createHmac("sha256", serverKey.key)
    .update(JSON.stringify([label, ...parts]))
    .digest();
}

function checksum(text: string): string {
  let digits = "";
  for (let rest = crc32(text); rest > 0; rest = Math.floor(rest / 62)) digits = alphabet.charAt(rest % 62) + digits;
  return digits.padStart(checksumLength, "0");
}

function base62(bytes: Uint8Array): string {
  let digits = "";
  for (let rest = BigInt(`0x${Buffer.from(bytes).toString("hex")}`); rest > 0n; rest /= 62n) {
    digits = alphabet.charAt(Number(rest % 62n)) + digits;
  }
  return digits.padStart(secretLength, "0");
}
