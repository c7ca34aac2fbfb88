#!/bin/sh
# The two halves of @simplewebauthn/server disagree about whether a passkey must ask for a PIN or a
# fingerprint. The options that it makes say "preferred", and the Web Authentication standard says that this
# never fails a registration. Its check of the answer then refuses a security key that has no PIN. By that
# time the browser has made the passkey, and it will never sign anybody in. An administrator who protects
# payouts with a plain key meets this on the first day. Set userVerification in the options and
# requireUserVerification in the check to the same rule.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir"
npm init -y >/dev/null
npm install --no-audit --no-fund --loglevel=error @simplewebauthn/server@14.0.3 >/dev/null
npm ls --depth=0 | tail -n +2
cat >check.mjs <<'JS'
import { createHash, generateKeyPairSync } from "node:crypto";
import { generateRegistrationOptions, verifyRegistrationResponse } from "@simplewebauthn/server";
import { isoCBOR } from "@simplewebauthn/server/helpers";

const site = "localhost";
const options = await generateRegistrationOptions({ rpName: "Payments", rpID: site, userName: "admin" });

// What a security key answers: it was touched (bit 0), has a new key pair (bit 6), and may have seen a PIN (bit 2).
const { x, y } = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" });
const bytes = (text) => new Uint8Array(Buffer.from(text, "base64url"));
const publicKey = isoCBOR.encode(new Map([[1, 2], [3, -7], [-1, 1], [-2, bytes(x)], [-3, bytes(y)]]));
const credential = Buffer.alloc(16, 1);
const clientData = { type: "webauthn.create", challenge: options.challenge, origin: `http://${site}` };

/** Whether the registration is accepted, or why not. */
async function register(flags, checks) {
  const authData = Buffer.concat([
    createHash("sha256").update(site).digest(),
    Buffer.from([flags, 0, 0, 0, 0]),
    Buffer.alloc(16),
    Buffer.from([0, credential.length]),
    credential,
    publicKey,
  ]);
  const attestation = new Map([["fmt", "none"], ["attStmt", new Map()], ["authData", new Uint8Array(authData)]]);
  const id = credential.toString("base64url");
  const response = {
    id,
    rawId: id,
    type: "public-key",
    clientExtensionResults: {},
    response: {
      clientDataJSON: Buffer.from(JSON.stringify(clientData)).toString("base64url"),
      attestationObject: Buffer.from(isoCBOR.encode(attestation)).toString("base64url"),
    },
  };
  const expected = { expectedChallenge: options.challenge, expectedOrigin: clientData.origin, expectedRPID: site };
  return verifyRegistrationResponse({ response, ...expected, ...checks }).then(
    ({ verified }) => (verified ? "accepted" : "refused"),
    (error) => `refused: ${error.message}`,
  );
}

const asked = options.authenticatorSelection.userVerification;
const withPin = await register(0b1000101);
const withoutPin = await register(0b1000001);
const relaxed = await register(0b1000001, { requireUserVerification: false });
console.log(`The options ask for user verification: ${asked}.`);
console.log("Expected: a key without a PIN is accepted.");
console.log(`Found:    with a PIN ${withPin}; without one ${withoutPin}`);
console.log(`          without one, if the check is told not to require it: ${relaxed}`);

const same = withPin === "accepted" && withoutPin.startsWith("refused") && relaxed === "accepted";
if (asked !== "preferred" || !same) {
  console.error("This is no longer so.");
  process.exit(1);
}
JS
node check.mjs
