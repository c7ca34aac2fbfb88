// The table of invitations: who may join an organization, with which role, by which secret links.
import type { Columns } from "../columns";
import { inList } from "./checks";
import type { identityTables } from "./identity";
import { userRoles } from "./values";

export function invitationTables(k: Columns, { organizations, users }: ReturnType<typeof identityTables>) {
  const invitations = k.table(
    "invitations",
    {
      id: k.text("id").primaryKey(),
      organizationId: k
        .text("organization_id")
        .notNull()
        .references(() => organizations.id),
      email: k.text("email").notNull(),
      emailKey: k.text("email_key").notNull(),
      name: k.text("name"),
      role: k.oneOf("role", [...userRoles]).notNull(),
      /** The account that the user gets, in the words of the API; null for one named after the user, or for none. */
      accountFields: k.json<Record<string, unknown>>()("account_fields"),
      /** Of the mail, and of the user who accepts; null for what the browser asks for. */
      locale: k.text("locale"),
      /** Null if an API key invited. */
      invitedBy: k.text("invited_by").references(() => users.id),
      /** SHA-256 of the token that admins hand over, and what it is derived from with the server key of that id. */
      hash: k.text("hash").notNull(),
      nonce: k.text("nonce").notNull(),
      keyId: k.text("key_id").notNull(),
      /** The same of the token in the mail. Only that one verifies the address. */
      mailHash: k.text("mail_hash").notNull(),
      mailNonce: k.text("mail_nonce").notNull(),
      createdAt: k.instant("created_at").notNull(),
      expiresAt: k.instant("expires_at").notNull(),
      acceptedAt: k.instant("accepted_at"),
      acceptedBy: k.text("accepted_by").references(() => users.id),
      revokedAt: k.instant("revoked_at"),
      revokeReason: k.text("revoke_reason"),
    },
    (t) => [
      k.uniqueIndex("invitations_hash").on(t.hash),
      k.uniqueIndex("invitations_mail_hash").on(t.mailHash),
      k.index("invitations_page").on(t.organizationId, t.createdAt, t.id),
      k.index("invitations_address").on(t.organizationId, t.emailKey),
      k.index("invitations_inviter").on(t.invitedBy),
      k.index("invitations_accepted_by").on(t.acceptedBy),
      k.index("invitations_expiry").on(t.expiresAt),
      k.check("invitations_role", inList(t.role, userRoles)),
    ],
  );
  return { invitations };
}
