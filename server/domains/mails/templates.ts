// The kinds of mails: for each, what it needs to know, which secret link it has, and its template.
import type { mailKinds } from "@/db/schema/values";
import type { Letter } from "./letter";
import type { LinkPurpose } from "./links";
import type { MailReader } from "./reader";
import { invitation, resetPassword, verifyEmail } from "./templates/access";
import {
  cardLink,
  linkRequest,
  type PaymentMail,
  paymentReceipt,
  paymentReminder,
  paymentRequest,
  refundReceipt,
  renewalFailed,
} from "./templates/payments";
import { type SecurityNotice, securityNotice } from "./templates/security-notice";
import {
  amountChanged,
  type SubscriptionMail,
  subscriptionEnded,
  subscriptionEnding,
  subscriptionKept,
  trialEnding,
} from "./templates/subscriptions";

export type MailKind = (typeof mailKinds)[number];

/**
 * What each kind needs to know, besides its recipient and sender, and the purpose of its secret link; null for none.
 */
export interface MailContents {
  payment_request: { data: PaymentMail; link: "pay" };
  payment_reminder: { data: PaymentMail; link: "pay" };
  payment_receipt: { data: PaymentMail; link: "receipt" };
  refund_receipt: { data: PaymentMail; link: "receipt" | "refund" };
  renewal_failed: { data: PaymentMail; link: "pay" };
  trial_ending: { data: SubscriptionMail; link: null };
  subscription_ending: { data: SubscriptionMail; link: null };
  subscription_kept: { data: SubscriptionMail; link: null };
  subscription_ended: { data: SubscriptionMail; link: null };
  amount_changed: { data: SubscriptionMail; link: null };
  /** `amount`: of each period; `at`: when the card is charged next. */
  card_link: { data: PaymentMail; link: "card" };
  /** To the account itself: a payer needs a new link. `at`: when the payment request expired. */
  link_request: { data: PaymentMail; link: "expired_request" };
  /** `minutes`: how long the link works. */
  reset_password: { data: { minutes: number }; link: "reset_password" };
  security_notice: { data: SecurityNotice; link: "undo_email_change" | null };
  /** `organization` and `inviter` as they call themselves; `days`: how long the link works. */
  invitation: { data: { organization: string; inviter: string | null; days: number }; link: "invitation" };
  /** `hours`: how long the link works. */
  verify_email: { data: { hours: number }; link: "verify_email" };
}

/** Writes the letter. `sender` is the name of the account or the organization, as inert text. */
export type Template<Data> = (data: Data, reader: MailReader, sender: string) => Letter;

export const templates: { readonly [Kind in MailKind]: Template<MailContents[Kind]["data"]> } = {
  payment_request: paymentRequest,
  payment_reminder: paymentReminder,
  payment_receipt: paymentReceipt,
  refund_receipt: refundReceipt,
  renewal_failed: renewalFailed,
  trial_ending: trialEnding,
  subscription_ending: subscriptionEnding,
  subscription_kept: subscriptionKept,
  subscription_ended: subscriptionEnded,
  amount_changed: amountChanged,
  card_link: cardLink,
  link_request: linkRequest,
  reset_password: resetPassword,
  security_notice: securityNotice,
  invitation,
  verify_email: verifyEmail,
};

/** The kinds about payments. All others are about users. */
export const paymentKinds: readonly MailKind[] = [
  "payment_request",
  "payment_reminder",
  "payment_receipt",
  "refund_receipt",
  "renewal_failed",
  "trial_ending",
  "subscription_ending",
  "subscription_kept",
  "subscription_ended",
  "amount_changed",
  "card_link",
  "link_request",
];

export type MailPurpose<Kind extends MailKind> = Extract<MailContents[Kind]["link"], LinkPurpose>;
