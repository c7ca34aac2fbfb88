// Which kinds of mails a caller sees, and which it may send again.
import { mailKinds } from "@/db/schema/values";
import { may } from "@/server/access/may";
import { type MailKind, paymentKinds } from "@/server/domains/mails/templates";
import type { Actor } from "@/server/kit/context";

/** Mails to customers, and for some callers also those to users. The scope says of which accounts. */
export const kindsSeenBy = (actor: Actor): readonly MailKind[] =>
  may("mails.read.all", actor) ? mailKinds : paymentKinds;

/** Whether the caller may send a mail of this kind, which it sees, again. */
export const mayResend = (actor: Actor, kind: MailKind): boolean =>
  paymentKinds.includes(kind) || may("mails.resend.all", actor);
