// How many mails about payments, and invitations, may be sent, so that nobody can use them to flood an address.
import { bucketOf, type Throttle } from "@/server/fairness/throttle";
import type { ReadContext } from "@/server/kit/context";
import { userOf } from "@/server/kit/identity";
import { dayMs, hourMs, limits } from "@/server/kit/limits";

const {
  perAccount,
  perUser,
  perOrganization,
  perRecipient,
  perRecipientOfMember,
  perRequest,
  perAccountOfLinkRequests,
} = limits.mail;

/** A mail about a payment, or of an invitation, as far as its limits depend on it. */
interface Counted {
  organizationId: string;
  accountId: string | null;
  paymentId: string | null;
  toKey: string;
  /** What the mail is about. */
  kind?: string;
}

/** Who sends a mail: a user, or null for an API key. `isMember`: it is a user who sees only his or her own accounts. */
interface Sender {
  userId: string | null;
  isMember: boolean;
}

/** The sender of the call's mails. */
export const senderOf = ({ actor, scope }: Pick<ReadContext, "actor" | "scope">): Sender => ({
  userId: userOf(actor)?.userId ?? null,
  isMember: scope.ownerUserId !== null,
});

/** One mailbox has any number of addresses that differ in what follows a plus sign (RFC 5233). */
export const mailboxOf = (toKey: string): string => toKey.replace(/\+[^@]*(?=@)/, "");

/** The counters of a mail about a payment, or of an invitation; `sender` is null if nobody asked for it. */
export function mailThrottles(
  { organizationId, accountId, paymentId, toKey, kind }: Counted,
  sender: Sender | null,
): Throttle[] {
  const { userId = null, isMember = false } = sender ?? {};
  const mailbox = mailboxOf(toKey);
  const hourly = (purpose: string, subject: string | null, limit: number): Throttle[] =>
    subject === null ? [] : [{ bucket: bucketOf(purpose, subject), limit, windowMs: hourMs }];
  const daily = (purpose: string, subject: string | null, limit: number): Throttle[] =>
    subject === null ? [] : [{ bucket: bucketOf(purpose, subject), limit, windowMs: dayMs }];
  // It goes to the account itself: it uses up nothing of what customers may get.
  if (kind === "link_request") return daily("mail_link_request", accountId, perAccountOfLinkRequests);
  return [
    ...hourly("mail_account", accountId, perAccount),
    ...hourly("mail_user", userId, perUser),
    ...hourly("mail_organization", organizationId, perOrganization),
    ...daily("mail_recipient", JSON.stringify([organizationId, mailbox]), perRecipient),
    // No member uses up what the others may send to a customer whom they share.
    ...daily("mail_member_recipient", isMember ? JSON.stringify([userId, mailbox]) : null, perRecipientOfMember),
    ...daily("mail_request", paymentId, perRequest),
  ];
}
