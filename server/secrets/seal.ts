// Sealing: encrypts a secret that must be read again, under the server key, for one purpose and one owner.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { ServerKeys } from "@/server/process/server-key";
import { deriveBytes } from "./secret";

/** What a secret is for and whose it is. A sealed text opens only for the same ones. */
interface Context {
  purpose: string;
  ownerId: string;
}

const cipher = "aes-256-gcm";
/** The sizes of NIST SP 800-38D. */
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts the secret with AES-256-GCM under the current server key. Returns the key's id, a dot, and base64url. */
export function seal(keys: ServerKeys, { purpose, ownerId }: Context, secret: Uint8Array): string {
  const { id } = keys.current;
  const nonce = randomBytes(nonceBytes);
  const encrypt = createCipheriv(cipher, deriveBytes(keys, id, "seal", purpose, ownerId), nonce);
  const body = Buffer.concat([nonce, encrypt.update(secret), encrypt.final(), encrypt.getAuthTag()]);
  return `${id}.${body.toString("base64url")}`;
}

/** Which server key sealed a text: the current one, another one of the installation, or one that it no longer has. */
export function sealedUnder(keys: ServerKeys, text: string): "current" | "other" | "missing" {
  const [id] = text.split(".");
  if (id === keys.current.id) return "current";
  return keys.all.some((key) => key.id === id) ? "other" : "missing";
}

/** The secret in a sealed text. Throws if it was sealed for something else, was changed, or its server key is gone. */
export function unseal(keys: ServerKeys, { purpose, ownerId }: Context, text: string): Buffer {
  const [id = "", encoded = ""] = text.split(".");
  const body = Buffer.from(encoded, "base64url");
  const end = body.length - tagBytes;
  const key = deriveBytes(keys, id, "seal", purpose, ownerId);
  const decrypt = createDecipheriv(cipher, key, body.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decrypt.setAuthTag(body.subarray(end));
  return Buffer.concat([decrypt.update(body.subarray(nonceBytes, end)), decrypt.final()]);
}
