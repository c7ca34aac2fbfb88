// Tables of signing in: known devices, password-reset links, the set-up nonce.

import type { Columns } from "../columns";
import { inList } from "./checks";
import type { identityTables } from "./identity";
import { sessionKinds } from "./values";

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
      createdAt: k.instant("created_at").notNull(),
      expiresAt: k.instant("expires_at").notNull(),
      usedAt: k.instant("used_at"),
    },
    (t) => [k.uniqueIndex("password_resets_hash").on(t.hash)],
  );

  /** Random values of this database, by name. */
  const nonces = k.table("nonces", { name: k.text("name").primaryKey(), value: k.text("value").notNull() });

  return { knownDevices, passwordResets, nonces };
}
