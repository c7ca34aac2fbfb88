// Tables of signing in: known devices, links that reset a password or verify an e-mail address, the set-up nonce.

import type { Columns } from "../columns";
import { inList } from "./checks";
import type { identityTables } from "./identity";
import { emailLinkKinds, sessionKinds } from "./values";

export function signInTables(k: Columns, { users }: ReturnType<typeof identityTables>) {
  const knownDevices = k.table(
    "known_devices",
    {
      userId: k
        .text("user_id")
        .notNull()
        .references(() => users.id),
      /** SHA-256 of the browser's device token; on the API, of `device_id` and address block. */
      hash: k.text("hash").notNull(),
      kind: k.oneOf("kind", [...sessionKinds]).notNull(),
      seenAt: k.instant("seen_at").notNull(),
      expiresAt: k.instant("expires_at").notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.userId, t.hash] }),
      k.index("known_devices_expiry").on(t.expiresAt),
      k.check("known_devices_kind", inList(t.kind, sessionKinds)),
    ],
  );

  /** The latest reset link of each user. */
  const passwordResets = k.table(
    "password_resets",
    {
      userId: k
        .text("user_id")
        .primaryKey()
        .references(() => users.id),
      /** SHA-256 of the whole token, in hexadecimal. */
      hash: k.text("hash").notNull(),
      /** SHA-256 of the password hash and e-mail address at that time: the link is void once either changes. */
      seal: k.text("seal").notNull(),
      /** What the token is derived from, with the server key of that id. */
      nonce: k.text("nonce"),
      keyId: k.text("key_id"),
      createdAt: k.instant("created_at").notNull(),
      expiresAt: k.instant("expires_at").notNull(),
      usedAt: k.instant("used_at"),
    },
    (t) => [k.uniqueIndex("password_resets_hash").on(t.hash), k.index("password_resets_expiry").on(t.expiresAt)],
  );

  /** Links that verify a user's e-mail address, change it, or undo a change. */
  const emailLinks = k.table(
    "email_links",
    {
      /** SHA-256 of the whole token, in hexadecimal. */
      hash: k.text("hash").primaryKey(),
      userId: k
        .text("user_id")
        .notNull()
        .references(() => users.id),
      kind: k.oneOf("kind", [...emailLinkKinds]).notNull(),
      /** The address that the link is mailed to and makes the user's, and its case-folded form. */
      email: k.text("email").notNull(),
      emailKey: k.text("email_key").notNull(),
      /** SHA-256 of the credentials that void the link once they change; null if none do. */
      seal: k.text("seal"),
      /** What the token is derived from, with the server key of that id. */
      nonce: k.text("nonce").notNull(),
      keyId: k.text("key_id").notNull(),
      createdAt: k.instant("created_at").notNull(),
      expiresAt: k.instant("expires_at").notNull(),
      usedAt: k.instant("used_at"),
    },
    (t) => [
      k.index("email_links_user").on(t.userId, t.kind),
      k.index("email_links_address").on(t.emailKey),
      k.index("email_links_expiry").on(t.expiresAt),
      k.check("email_links_kind", inList(t.kind, emailLinkKinds)),
    ],
  );

  /** Random values of this database, by name. */
  const nonces = k.table("nonces", { name: k.text("name").primaryKey(), value: k.text("value").notNull() });

  return { knownDevices, passwordResets, emailLinks, nonces };
}
