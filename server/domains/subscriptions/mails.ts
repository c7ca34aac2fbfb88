// The mails of a subscription to its customer: a renewal was not paid, the trial ends, and a link to change the card.
import { readAccount } from "@/server/domains/accounts/store";
import { localesFor } from "@/server/domains/customers/locales";
import { enqueueMail } from "@/server/domains/mails/enqueue";
import type { MailRow } from "@/server/domains/mails/store";
import { amountDue, statusAt } from "@/server/domains/payments/derive";
import { mayMailPayer } from "@/server/domains/payments/links/payer";
import { payMailObject } from "@/server/domains/payments/mail-links";
import { type PaymentRow, readPayment } from "@/server/domains/payments/store";
import type { WriteContext } from "@/server/kit/context";
import { addresseeOf } from "./addressee";
import { nextChargeAt } from "./rules";
import type { SubscriptionRow } from "./store";

/**
 * Mails the customer that the stored card was not charged, with the page on which to pay with another one. There is no mail
 * if nobody can pay on it any more.
 */
export async function mailRenewalFailed(ctx: WriteContext, row: SubscriptionRow, payment: PaymentRow): Promise<void> {
  const to = payment.customer?.email ?? null;
  const isOver = ["expired", "failed", "canceled"].includes(statusAt(payment, ctx.now));
  if (to === null || isOver || !(await mayMailPayer(ctx.db, payment))) return;
  const { account, ...letter } = await letterAbout(ctx, payment);
  await enqueueMail(ctx, {
    ...{ kind: "renewal_failed", to, account, ...letter, isAutomatic: true },
    link: { purpose: "pay", objectId: payMailObject(payment) },
    data: { ...aboutPayment(payment), amount: amountDue(payment), at: row.retryAt },
  });
}

/** Mails the customer when the trial ends, and what is charged then. */
export async function mailTrialEnding(ctx: WriteContext, row: SubscriptionRow): Promise<void> {
  const first = await readPayment(ctx.db, row.firstPaymentId);
  if (!first || !(await mayMailPayer(ctx.db, first))) return;
  const payment = { ...first, customer: await addresseeOf(ctx.db, row, first) };
  const to = payment.customer?.email ?? null;
  if (to === null) return;
  const { account, ...letter } = await letterAbout(ctx, payment);
  await enqueueMail(ctx, {
    ...{ kind: "trial_ending", to, account, ...letter, isAutomatic: true },
    link: null,
    data: { ...aboutPayment(payment), amount: row.amount, at: row.trialEndsAt },
  });
}

interface Addressed {
  to: string;
  /** The hash of the link. */
  hash: string;
}

/** Mails the customer the card link. `payment` is the first payment request, with the customer as it is now. */
export async function mailCardLink(
  ctx: WriteContext,
  row: SubscriptionRow,
  payment: PaymentRow,
  { to, hash: objectId }: Addressed,
): Promise<MailRow> {
  const { account, ...letter } = await letterAbout(ctx, payment);
  return enqueueMail(ctx, {
    ...{ kind: "card_link", to, account, ...letter },
    link: { purpose: "card", objectId },
    data: { ...aboutPayment(payment), amount: row.amount, at: nextChargeAt(row) },
  });
}

const aboutPayment = ({ currency, description, reference, livemode, customer }: PaymentRow) => ({
  ...{ currency, description, reference, livemode, customerName: customer?.name ?? null },
});

async function letterAbout(ctx: WriteContext, payment: PaymentRow) {
  const { id: paymentId, organizationId, accountId } = payment;
  const account = await readAccount(ctx.db, organizationId, accountId);
  const { name, email, preferences } = account;
  return {
    ...{ organizationId, paymentId, account: { id: accountId, name, email } },
    ...{ locales: await localesFor(ctx.db, payment, account), timezone: preferences.timezone },
  };
}
