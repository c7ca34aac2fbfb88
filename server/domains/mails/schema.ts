// The wire form of mails.
import * as z from "zod";
import { mailKinds, mailStatuses } from "@/db/schema/values";
import { may } from "@/server/access/may";
import type { Actor } from "@/server/kit/context";
import * as fields from "@/server/kit/fields";
import { iso, isoOrNull } from "@/server/process/clock";
import type { MailRow } from "./store";

export const mailId = fields.id("mai", "The mail.");

/** A mail in lists and other responses. */
export const mail = z
  .strictObject({
    mail_id: fields.idOut("mai", "The mail."),
    account_id: fields.idOut("acct", "The account that it is from.").nullable(),
    kind: z.enum(mailKinds),
    to: z.string().meta({ description: "The recipient's e-mail address.", example: "grace@example.com" }),
    subject: z.string(),
    status: z.enum(mailStatuses).meta({
      description:
        "`queued`: it will be sent or tried again, with `last_error` `rate_limited` once there is room within the " +
        "limits. `held`: it is sent only if it is resent. `last_error` says why: null if no mail server was set up, " +
        "`link_expired` if its content is no longer true, `database_restored` if it was queued in a backup, `user_removed` " +
        "if its recipient was a user who has been removed, `customer_erased` if it was about a customer who has been erased, " +
        "`readdressed` if it was about the former customer of a payment request that has another one now.",
    }),
    attempts: z.int().meta({ description: "Tries since it was last queued." }),
    last_error: z
      .string()
      .nullable()
      .meta({
        description:
          "Why the last try failed: a code, or the mail server's response. Members, viewers and API keys that are bound to " +
          "an account get `not_delivered` instead of the response.",
      }),
    payment_id: fields.idOut("pay", "The payment request that it is about.").nullable(),
    created_at: fields.timestamp,
    sent_at: fields.timestamp.nullable().meta({ description: "When a mail server accepted it." }),
  })
  .meta({ id: "Mail", description: "A mail to a customer or a user." });

const body = "A secret link is replaced by a placeholder. Null after 90 days.";

/** A mail with its bodies. */
export const fullMail = mail
  .extend({
    text: z
      .string()
      .nullable()
      .meta({ description: `As plain text. ${body}` }),
    html: z
      .string()
      .nullable()
      .meta({ description: `As HTML. ${body}` }),
  })
  .meta({ id: "FullMail", description: "A mail with its bodies." });

/** The codes that `last_error` can be; everything else is what a mail server or its connection said. */
export const mailReasons = [
  "rate_limited",
  "link_expired",
  "database_restored",
  "user_removed",
  "customer_erased",
  "readdressed",
  "not_delivered",
] as const;

/** Why the last try failed. What the mail server said is for those who can act on it; it may name other mailboxes. */
function reasonFor(actor: Actor, lastError: string | null): string | null {
  if (lastError === null || mailReasons.some((reason) => reason === lastError)) return lastError;
  return may("mails.read.answers", actor) ? lastError : "not_delivered";
}

export const presentMail = (row: Omit<MailRow, "text" | "html">, actor: Actor): z.input<typeof mail> => ({
  mail_id: row.id,
  account_id: row.accountId,
  kind: row.kind,
  to: row.toAddress,
  subject: row.subject,
  status: row.status,
  attempts: row.attempts,
  last_error: reasonFor(actor, row.lastError),
  payment_id: row.paymentId,
  created_at: iso(row.createdAt),
  sent_at: isoOrNull(row.sentAt),
});
