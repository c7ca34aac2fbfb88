// How many mails about payments may be sent, so that nobody can use them to flood an address.
import { bucketOf, type Throttle } from "@/server/fairness/throttle";
import { dayMs, hourMs, limits } from "@/server/kit/limits";

const { perAccount, perUser, perOrganization, perRecipient, perRequest } = limits.mail;

/** A mail about a payment, as far as its limits depend on it. */
interface Counted {
  organizationId: string;
  accountId: string | null;
  paymentId: string | null;
  toKey: string;
}

/** The counters of a mail about a payment. `userId` is the user who sends it; null for none. */
export function mailThrottles(
  { organizationId, accountId, paymentId, toKey }: Counted,
  userId: string | null,
): Throttle[] {
  const hourly = (purpose: string, subject: string | null, limit: number): Throttle[] =>
    subject === null ? [] : [{ bucket: bucketOf(purpose, subject), limit, windowMs: hourMs }];
  const daily = (purpose: string, subject: string | null, limit: number): Throttle[] =>
    subject === null ? [] : [{ bucket: bucketOf(purpose, subject), limit, windowMs: dayMs }];
  return [
    ...hourly("mail_account", accountId, perAccount),
    ...hourly("mail_user", userId, perUser),
    ...hourly("mail_organization", organizationId, perOrganization),
    ...daily("mail_recipient", JSON.stringify([organizationId, toKey]), perRecipient),
    ...daily("mail_request", paymentId, perRequest),
  ];
}
