// The pay form's one-time token: made without writing a row, good for one request, one day and one attempt.
import { randomBytes, timingSafeEqual } from "node:crypto";
import { deriveBytes, hashToken } from "@/server/kit/secret";
import type { ServerKeys } from "@/server/kit/server-key";

/** A form that stood open for longer is asked to be loaded again. */
const lifetimeMs = 24 * 3_600_000;

const seal = (keys: ServerKeys, keyId: string, paymentId: string, nonce: string, issuedAt: number): Buffer =>
  deriveBytes(keys, keyId, "pay form", paymentId, nonce, issuedAt);

/** A token for the form of this request; `now` in epoch ms. */
export function issueFormToken(keys: ServerKeys, paymentId: string, now: number): string {
  const nonce = randomBytes(16).toString("base64url");
  const mac = seal(keys, keys.current.id, paymentId, nonce, now).toString("base64url");
  return `${nonce}.${now.toString(36)}.${mac}`;
}

/** Whether we made the token for this request within the last day. */
export function isFormToken(keys: ServerKeys, paymentId: string, token: string, now: number): boolean {
  const [, nonce, time, mac] = /^([\w-]{22})\.([0-9a-z]{1,11})\.([\w-]{43})$/.exec(token) ?? [];
  if (!nonce || !time || !mac) return false;
  const issuedAt = Number.parseInt(time, 36);
  if (issuedAt > now || now >= issuedAt + lifetimeMs) return false;
  const given = Buffer.from(mac, "base64url");
  return keys.all.some(({ id }) => timingSafeEqual(given, seal(keys, id, paymentId, nonce, issuedAt)));
}

/** What an attempt keeps of the token that made it. */
export const attemptKeyOf = (token: string): string => hashToken(token);
