// Where passkeys work, and the challenges that a browser answers with one (W3C Web Authentication Level 3).
import { createHash } from "node:crypto";
import { isIP } from "node:net";
import * as z from "zod";
import { limits } from "@/server/kit/limits";
import type { Env } from "@/server/process/env";

interface RelyingParty {
  /** The domain that passkeys belong to. */
  id: string;
  origin: string;
}

/**
 * The relying party of APP_URL; null where browsers offer no passkeys: a relying party's id is a domain, not an IP
 * address, and its pages use https, except on localhost.
 */
export function relyingParty({ appUrl }: Pick<Env, "appUrl">): RelyingParty | null {
  const { hostname, origin, protocol } = new URL(appUrl);
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  if (isIP(hostname) !== 0 || hostname.startsWith("[")) return null;
  return protocol === "https:" || isLocal ? { id: hostname, origin } : null;
}

export const hashOf = (challenge: string): string => createHash("sha256").update(challenge).digest("hex");

const clientData = z.object({ challenge: z.string() });

/** The challenge that a browser's answer names; null if it names none. */
export function challengeIn(clientDataJSON: string): string | null {
  try {
    return clientData.parse(JSON.parse(Buffer.from(clientDataJSON, "base64url").toString())).challenge;
  } catch {
    return null;
  }
}

const part = z.string().max(limits.passkeys.response);

const credentialId = z.string().max(limits.passkeys.credentialId);

/** A browser's answer that proves a new passkey. Binary values are in base64url. */
export const registrationAnswer = z.strictObject({
  credential_id: credentialId,
  client_data: part,
  attestation: part,
  transports: z.array(z.string().max(limits.name)).max(limits.passkeys.transports),
});

/** A browser's answer that proves whose passkey it has. Binary values are in base64url. */
export const signInAnswer = z.strictObject({
  credential_id: credentialId,
  client_data: part,
  authenticator_data: part,
  signature: part,
});
