// The tokens of hosted forms, made without writing a row: good for one subject and one day, a pay form's for one attempt.
//
// They are not bound to a browser. Only a cookie could tell browsers apart, and pages must work without cookies: a form
// that comes without one would have to pass, so that leaving the cookie out would get past the binding.
import { timingSafeEqual } from "node:crypto";
import { newNonce } from "@/server/kit/ids";
import { limits } from "@/server/kit/limits";
import type { ServerKeys } from "@/server/process/server-key";
import { deriveBytes, hashToken } from "@/server/secrets/secret";

/** What a form does: a token of one kind is none for another. */
export type FormKind = "pay" | "leave" | "challenge";

const seal = (
  keys: ServerKeys,
  keyId: string,
  kind: FormKind,
  subject: string,
  nonce: string,
  issuedAt: number,
): Buffer => deriveBytes(keys, keyId, `${kind} form`, subject, nonce, issuedAt);

/** A token for a form of this kind about the subject; `now` in epoch ms. */
export function issueFormToken(keys: ServerKeys, kind: FormKind, subject: string, now: number): string {
  const nonce = newNonce();
  const mac = seal(keys, keys.current.id, kind, subject, nonce, now).toString("base64url");
  return `${nonce}.${now.toString(36)}.${mac}`;
}

/** Whether we made the token for such a form about the subject within the last day. */
export function isFormToken(keys: ServerKeys, kind: FormKind, subject: string, token: string, now: number): boolean {
  const [, nonce, time, mac] = /^([\w-]{22})\.([0-9a-z]{1,11})\.([\w-]{43})$/.exec(token) ?? [];
  if (!nonce || !time || !mac) return false;
  const issuedAt = Number.parseInt(time, 36);
  if (issuedAt > now || now >= issuedAt + limits.payFormMs) return false;
  const given = Buffer.from(mac, "base64url");
  return keys.all.some(({ id }) => timingSafeEqual(given, seal(keys, id, kind, subject, nonce, issuedAt)));
}

/** What an attempt keeps of the token that made it. */
export const attemptKeyOf = (token: string): string => hashToken(token);
