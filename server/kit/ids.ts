// Identifiers: a prefix and 26 characters of Crockford base32, ordered by time (the layout of a ULID).
import { randomFillSync } from "node:crypto";

export type IdPrefix = "org" | "acct" | "usr" | "ses" | "pay" | "txn" | "evt" | "key" | "aud" | "jrn" | "job" | "req";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** A new identifier: 48 bits of `now` (epoch ms), then 80 random bits. */
export function newId(prefix: IdPrefix, now: number): string {
  let time = "";
  for (let rest = now, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = alphabet[rest % 32] + time;
  let tail = "";
  for (const byte of random16()) tail += alphabet[byte & 31];
  return `${prefix}_${time}${tail}`;
}

/** Random bytes are drawn for many identifiers at once: a draw costs far more than the bytes in it. */
const pool = Buffer.alloc(16 * 256);
let drawn = pool.length;

function random16(): Buffer {
  if (drawn === pool.length) {
    randomFillSync(pool);
    drawn = 0;
  }
  drawn += 16;
  return pool.subarray(drawn - 16, drawn);
}

/** Whether the text could be an identifier with this prefix; anything else is answered like an unknown one. */
export const isId = (prefix: IdPrefix, text: string): boolean =>
  new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`).test(text);
