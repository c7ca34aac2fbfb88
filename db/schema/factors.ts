// Tables of second factors: authenticator apps, recovery codes, passkeys and their open challenges.
import type { Columns } from "../columns";
import { inList } from "./checks";
import type { identityTables } from "./identity";
import { challengePurposes } from "./values";

export function factorTables(k: Columns, { users }: ReturnType<typeof identityTables>) {
  /** A user's authenticator app (RFC 6238). */
  const totpFactors = k.table("totp_factors", {
    userId: k
      .text("user_id")
      .primaryKey()
      .references(() => users.id),
    /** The shared secret, sealed under the server key. */
    secret: k.text("secret").notNull(),
    createdAt: k.instant("created_at").notNull(),
    /** When the user proved with a code that the app has the secret. Until then it is no factor. */
    confirmedAt: k.instant("confirmed_at"),
    /** The time step of the last code that was accepted. No code of this step or an earlier one is accepted again. */
    lastStep: k.integer("last_step"),
    /** The sealed secret of a new app, which replaces this one at its first correct code, and when its setup began. */
    nextSecret: k.text("next_secret"),
    nextCreatedAt: k.instant("next_created_at"),
  });

  /** Recovery codes that have not been used. */
  const recoveryCodes = k.table(
    "recovery_codes",
    {
      userId: k
        .text("user_id")
        .notNull()
        .references(() => users.id),
      /** HMAC of the code under the server key. */
      hash: k.text("hash").notNull(),
      createdAt: k.instant("created_at").notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.userId, t.hash] })],
  );

  /** Passkeys (WebAuthn credentials). */
  const passkeys = k.table(
    "passkeys",
    {
      id: k.text("id").primaryKey(),
      userId: k
        .text("user_id")
        .notNull()
        .references(() => users.id),
      /** The credential ID, in base64url. */
      credentialId: k.text("credential_id").notNull(),
      /** The COSE public key, in base64url. */
      publicKey: k.text("public_key").notNull(),
      /** The signature counter that was seen last; many authenticators always send 0. */
      counter: k.money("counter").notNull(),
      transports: k.json<string[]>()("transports").notNull(),
      name: k.text("name").notNull(),
      /** Whether the passkey may be synced between devices (WebAuthn: backup eligible). */
      isSynced: k.boolean("is_synced").notNull(),
      createdAt: k.instant("created_at").notNull(),
      lastUsedAt: k.instant("last_used_at"),
    },
    (t) => [k.uniqueIndex("passkeys_credential").on(t.credentialId), k.index("passkeys_user").on(t.userId)],
  );

  /** Challenges that a browser has not answered yet. */
  const passkeyChallenges = k.table(
    "passkey_challenges",
    {
      /** SHA-256 of the challenge, in hexadecimal. */
      hash: k.text("hash").primaryKey(),
      purpose: k.oneOf("purpose", [...challengePurposes]).notNull(),
      /** Who adds a passkey; null for a sign-in. */
      userId: k.text("user_id").references(() => users.id),
      expiresAt: k.instant("expires_at").notNull(),
    },
    (t) => [
      k.index("passkey_challenges_expiry").on(t.expiresAt),
      k.index("passkey_challenges_user").on(t.userId),
      k.check("passkey_challenges_purpose", inList(t.purpose, challengePurposes)),
    ],
  );

  return { totpFactors, recoveryCodes, passkeys, passkeyChallenges };
}
