// The table of mails: a row is written in the same transaction as the change that it reports, and a job delivers it.
import { sql } from "drizzle-orm";
import type { Columns } from "../columns";
import { isSampled, pairOf } from "../sample";
import { inList } from "./checks";
import type { identityTables } from "./identity";
import type { paymentTables } from "./payments";
import { mailKinds, mailStatuses } from "./values";

export function mailTables(
  k: Columns,
  { organizations, accounts, users }: ReturnType<typeof identityTables>,
  { payments }: ReturnType<typeof paymentTables>,
) {
  const mails = k.table(
    "mails",
    {
      id: k.text("id").primaryKey(),
      organizationId: k
        .text("organization_id")
        .notNull()
        .references(() => organizations.id),
      /** The account that the mail is from; null if it is from the organization. */
      accountId: k.text("account_id").references(() => accounts.id),
      paymentId: k.text("payment_id").references(() => payments.id),
      /** The user that it is for; null for mails to customers. */
      userId: k.text("user_id").references(() => users.id),
      kind: k.oneOf("kind", [...mailKinds]).notNull(),
      /** Constant over all tries, so that a recipient's server can drop one that arrives twice. */
      messageId: k.text("message_id").notNull(),
      fromName: k.text("from_name").notNull(),
      replyTo: k.text("reply_to"),
      toAddress: k.text("to_address").notNull(),
      /** The case-folded address, for the list's filter. */
      toKey: k.text("to_key").notNull(),
      subject: k.text("subject").notNull(),
      /** The bodies, with a placeholder where the secret link goes; null after their retention. */
      text: k.text("text"),
      html: k.text("html"),
      /** What the secret link is for and the object that it belongs to; both null for a mail without one. */
      linkPurpose: k.text("link_purpose"),
      linkObjectId: k.text("link_object_id"),
      /** Nobody asked for it, so its limits are checked when it is delivered. */
      isAutomatic: k.boolean("is_automatic").notNull(),
      status: k.oneOf("status", [...mailStatuses]).notNull(),
      /** Tries since it was last queued. */
      attempts: k.integer("attempts").notNull().default(0),
      lastError: k.text("last_error"),
      createdAt: k.instant("created_at").notNull(),
      updatedAt: k.instant("updated_at").notNull(),
      sentAt: k.instant("sent_at"),
    },
    (t) => [
      k.index("mails_page").on(t.organizationId, t.createdAt, t.id),
      k.index("mails_sample").on(t.organizationId, pairOf).where(isSampled),
      k.index("mails_account_sample").on(t.accountId, pairOf).where(isSampled),
      k.index("mails_account_page").on(t.accountId, t.createdAt, t.id),
      k.index("mails_status_page").on(t.organizationId, t.status, t.createdAt, t.id),
      k.index("mails_payment").on(t.paymentId),
      k.index("mails_user").on(t.userId),
      k.index("mails_recipient").on(t.organizationId, k.bytewise(t.toKey)),
      // Mails that still have their bodies, for retention.
      k.index("mails_bodies").on(t.createdAt).where(sql`${t.text} is not null`),
      k.check("mails_status", inList(t.status, mailStatuses)),
    ],
  );
  return { mails };
}
