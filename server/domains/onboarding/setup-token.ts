// The token of the one-time set-up link, derived from the server key and a nonce of this database and never stored.
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Reader } from "@/db/client";
import { findNonce, insertNonce } from "@/server/domains/organizations/store";
import type { Runtime } from "@/server/process/runtime";
import { deriveBytes, hashToken, mintToken, parseToken } from "@/server/secrets/secret";

const nonceName = "setup";

const tokenUnder = ({ keys }: Pick<Runtime, "keys">, keyId: string, nonce: string) =>
  mintToken("setup", deriveBytes(keys, keyId, "setup", nonce));

/** The URL at which a browser sets the instance up. Anyone who has the link can become the first admin. */
export async function setupLink(runtime: Runtime): Promise<string> {
  const { db, env, keys } = runtime;
  const nonce = await db.write(async (tx) => {
    await insertNonce(tx, nonceName, randomBytes(32).toString("base64url"));
    return (await findNonce(tx, nonceName)) ?? "";
  });
  return `${env.appUrl}/setup?token=${tokenUnder(runtime, keys.current.id, nonce)}`;
}

/** Whether the text is this database's token under any of the server keys. */
export async function isSetupToken(runtime: Pick<Runtime, "keys">, q: Reader, text: string): Promise<boolean> {
  const given = parseToken("setup", text);
  const nonce = await findNonce(q, nonceName);
  if (given === null || nonce === undefined) return false;
  const hash = Buffer.from(hashToken(given));
  return runtime.keys.all.some(({ id }) =>
    timingSafeEqual(hash, Buffer.from(hashToken(tokenUnder(runtime, id, nonce)))),
  );
}
