// The tokens of hosted forms. They are not stored: each is valid for one subject and one day, a pay form's for one
// attempt.
//
// They are not bound to a browser. That would take a cookie, and pages must work without cookies: a form without one
// would have to be accepted, so that omitting the cookie would bypass the check.
import { timingSafeEqual } from "node:crypto";
import { newNonce } from "@/server/kit/ids";
import { limits } from "@/server/kit/limits";
import type { ServerKeys } from "@/server/process/server-key";
import { deriveBytes, hashToken } from "@/server/secrets/secret";
import { isDivisible } from "./choices";
import { isReusable, type Usage } from "./links/usage";

/** What a form does. A token of one kind is not valid for another. */
export type FormKind = "pay" | "pay_part" | "store" | "use" | "leave" | "ask" | "challenge" | "card";

const seal = (
  keys: ServerKeys,
  keyId: string,
  kind: FormKind,
  subject: string,
  nonce: string,
  issuedAt: number,
): Buffer => deriveBytes(keys, keyId, `${kind} form`, subject, nonce, issuedAt);

/** A token for a form of this kind and subject; `now` in epoch ms. */
export function issueFormToken(keys: ServerKeys, kind: FormKind, subject: string, now: number): string {
  const nonce = newNonce();
  const mac = seal(keys, keys.current.id, kind, subject, nonce, now).toString("base64url");
  return `${nonce}.${now.toString(36)}.${mac}`;
}

/** Whether we issued the token for a form of this kind and subject within the last day. */
export function isFormToken(keys: ServerKeys, kind: FormKind, subject: string, token: string, now: number): boolean {
  const [, nonce, time, mac] = /^([\w-]{22})\.([0-9a-z]{1,11})\.([\w-]{43})$/.exec(token) ?? [];
  if (!nonce || !time || !mac) return false;
  const issuedAt = Number.parseInt(time, 36);
  // The clocks of two processes differ a little, and a page reports at once that it was seen.
  if (issuedAt > now + limits.clockSkewMs || now >= issuedAt + limits.payFormMs) return false;
  const given = Buffer.from(mac, "base64url");
  return keys.all.some(({ id }) => timingSafeEqual(given, seal(keys, id, kind, subject, nonce, issuedAt)));
}

/**
 * What the form of a pay page does. The token names it: if the payment request has changed since the form was shown, the
 * form is refused instead of doing something else.
 */
export const payFormKind = (
  row: Parameters<typeof isDivisible>[0] & Pick<Usage, "usageLimit"> & { isTrial: boolean },
): FormKind => {
  if (isReusable(row)) return "use";
  if (row.isTrial) return "store";
  return isDivisible(row) ? "pay_part" : "pay";
};

/** The hash of a form's token, stored with the attempt that it made. */
export const attemptKeyOf = (token: string): string => hashToken(token);

/** The key of a charge of the stored card for a renewal: no two charges are the same try of the same payment request. */
export const renewalKeyOf = (paymentId: string, attempt: number): string =>
  attemptKeyOf(`renewal:${paymentId}:${attempt}`);
