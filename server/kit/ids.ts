// Identifiers: a prefix and 26 characters of Crockford base32, ordered by time (the layout of a ULID).
import { randomFillSync } from "node:crypto";

export type IdPrefix =
  | "org"
  | "acct"
  | "usr"
  | "ses"
  | "cus"
  | "pay"
  | "txn"
  | "evt"
  | "key"
  | "aud"
  | "jrn"
  | "job"
  | "req"
  | "mai"
  | "inv"
  | "crn"
  | "psk"
  | "sub"
  | "sme"
  | "vw";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** Every pair of characters, which halves the steps per identifier. */
const pairs = Array.from({ length: 1024 }, (_, i) => alphabet.charAt(i >> 5) + alphabet.charAt(i & 31));

/** The last instant and its text, because several identifiers are often made in one millisecond. */
let written = { at: -1, text: "" };

/** Creates an identifier: 48 bits of `now` (epoch milliseconds) and 80 random bits. */
export function newId(prefix: IdPrefix, now: number): string {
  if (now !== written.at) written = { at: now, text: timeText(now) };
  let tail = "";
  for (let i = 0, from = draw(); i < 8; i++) tail += pairs[pool.readUInt16LE(from + 2 * i) & 1023];
  return `${prefix}_${written.text}${tail}`;
}

/** Sorts before every identifier made at this instant (epoch milliseconds) or later, and after all earlier ones. */
export const idFloor = (prefix: IdPrefix, at: number): string => `${prefix}_${timeText(at)}`;

/** When an identifier was made, in epoch milliseconds: the reverse of {@link newId}. */
export function instantOf(id: string): number {
  const start = id.indexOf("_") + 1;
  let at = 0;
  for (let i = 0; i < timeText(0).length; i++) at = at * 32 + alphabet.indexOf(id.charAt(start + i));
  return at;
}

function timeText(at: number): string {
  let text = "";
  for (let rest = at, i = 0; i < 5; i++, rest = Math.floor(rest / 1024)) text = pairs[rest % 1024] + text;
  return text;
}

/** 128 random bits in base64url, 22 characters. */
export function newNonce(): string {
  const from = draw();
  return pool.toString("base64url", from, from + 16);
}

/** Random bytes are drawn for many identifiers at once: a call costs far more than its bytes. */
const pool = Buffer.alloc(16 * 256);
let drawn = pool.length;

/** Where the next 16 random bytes are in the pool. */
function draw(): number {
  if (drawn === pool.length) {
    randomFillSync(pool);
    drawn = 0;
  }
  drawn += 16;
  return drawn - 16;
}

const afterPrefix = /^[0-9a-hjkmnp-tv-z]{26}$/;

/** Whether the text could be an identifier with this prefix. */
export const isId = (prefix: IdPrefix, text: string): boolean =>
  text.startsWith(`${prefix}_`) && afterPrefix.test(text.slice(prefix.length + 1));
