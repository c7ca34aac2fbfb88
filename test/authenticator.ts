// An authenticator in software: makes passkeys and signs with them, as a browser and its device do together.
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

/** What a test changes about an answer: where it was made, and whether the user was verified. */
interface Lie {
  origin?: string;
  rpId?: string;
  isVerified?: boolean;
  counter?: number;
}

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();
const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");

/** One passkey of the relying party. */
export function newAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const credential = randomBytes(32);
  const rpId = new URL(origin).hostname;
  let counter = 0;

  const clientData = (type: string, challenge: string, lie: Lie) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: lie.origin ?? origin, crossOrigin: false }));
  /** Flags: user present, user verified, and whether a new credential follows (WebAuthn, section 6.1). */
  const head = (lie: Lie, hasKey: boolean) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(lie.counter ?? ++counter);
    const flags = 0x01 | (lie.isVerified === false ? 0 : 0x04) | (hasKey ? 0x40 : 0);
    return Buffer.concat([sha256(lie.rpId ?? rpId), Buffer.from([flags]), count]);
  };
  return {
    register(challenge: string, lie: Lie = {}) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credential.length);
      const authData = Buffer.concat([head(lie, true), Buffer.alloc(16), length, credential, coseKey(publicKey)]);
      const attestation = isoCBOR.encode(
        new Map<string, unknown>([
          ["fmt", "none"],
          ["attStmt", new Map()],
          ["authData", Uint8Array.from(authData)],
        ]) as never,
      );
      return {
        credential_id: encode(credential),
        client_data: encode(clientData("webauthn.create", challenge, lie)),
        attestation: encode(attestation),
        transports: ["internal"],
      };
    },
    sign(challenge: string, lie: Lie = {}) {
      const data = clientData("webauthn.get", challenge, lie);
      const authData = head(lie, false);
      const signature = createSign("sha256")
        .update(Buffer.concat([authData, sha256(data)]))
        .sign(privateKey);
      return {
        credential_id: encode(credential),
        client_data: encode(data),
        authenticator_data: encode(authData),
        signature: encode(signature),
      };
    },
  };
}

/** The public key as COSE: ES256 on P-256 (RFC 9053). */
function coseKey(key: KeyObject): Uint8Array {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const bytes = (text: string) => Uint8Array.from(Buffer.from(text, "base64url"));
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]) as never,
  );
}
