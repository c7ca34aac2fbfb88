// The mails of a subscription to its customer: what becomes of it, a renewal that was not paid, a link to change the card.
import { readAccount } from "@/server/domains/accounts/store";
import { localesFor } from "@/server/domains/customers/locales";
import { enqueueMail } from "@/server/domains/mails/enqueue";
import type { MailRow } from "@/server/domains/mails/store";
import type { End, SubscriptionMail } from "@/server/domains/mails/templates/subscriptions";
import { amountDue, statusAt } from "@/server/domains/payments/derive";
import { mayMailPayer } from "@/server/domains/payments/links/payer";
import { payMailObject } from "@/server/domains/payments/mail-links";
import { type PaymentRow, readPayment } from "@/server/domains/payments/store";
import type { WriteContext } from "@/server/kit/context";
import { addresseeOf } from "./addressee";
import { endsUnlessPaidAt, hasBegunAll, isLastTry, mayChargeCurrent, nextChargeAt, nextPeriodAt } from "./rules";
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
    data: { ...aboutPayment(payment), amount: amountDue(payment), ...triesOf(row) },
  });
}

/**
 * When its card is tried next, whether for the last time, and when it ends: if it is canceled at the end of its period, or
 * if no card is tried any more and nobody pays.
 */
const triesOf = (row: SubscriptionRow) => ({
  at: mayChargeCurrent(row) ? nextChargeAt(row) : null,
  isLastTry: isLastTry(row),
  endsAt: row.cancelAtPeriodEnd ? row.currentPeriodEnd : null,
  endsUnlessPaidAt: endsUnlessPaidAt(row),
});

/** Mails the customer when the trial ends, and what is charged then. */
export const mailTrialEnding = (ctx: WriteContext, row: SubscriptionRow): Promise<void> =>
  tell(ctx, row, { kind: "trial_ending", at: row.trialEndsAt });

/** Mails the customer that the subscription ends with its period, and whether that period may still be charged. */
export const mailEnding = (ctx: WriteContext, row: SubscriptionRow): Promise<void> =>
  tell(ctx, row, { kind: "subscription_ending", ...triesOf(row), isUnpaid: mayChargeCurrent(row) });

/** Mails the customer that the subscription does not end with its period after all; nothing if that is the last one. */
export async function mailKept(ctx: WriteContext, row: SubscriptionRow): Promise<void> {
  if (!hasBegunAll(row)) await tell(ctx, row, { kind: "subscription_kept", at: nextPeriodAt(row) });
}

/** Mails the customer what each period costs from now on, and when that is charged first; nothing if none follows. */
export async function mailAmountChanged(ctx: WriteContext, row: SubscriptionRow, amountBefore: number): Promise<void> {
  if (row.cancelAtPeriodEnd || hasBegunAll(row)) return;
  await tell(ctx, row, { kind: "amount_changed", at: nextPeriodAt(row), amountBefore });
}

/** Mails the customer that the subscription has ended. */
export const mailEnded = (ctx: WriteContext, row: SubscriptionRow, end: End): Promise<void> =>
  tell(ctx, row, { kind: "subscription_ended", at: null, end });

interface News
  extends Pick<
    SubscriptionMail,
    "at" | "amountBefore" | "end" | "isLastTry" | "endsAt" | "endsUnlessPaidAt" | "isUnpaid"
  > {
  kind: "trial_ending" | "subscription_ending" | "subscription_kept" | "subscription_ended" | "amount_changed";
}

/** Mails the customer, as the customer is now, if anybody may be mailed. */
async function tell(ctx: WriteContext, row: SubscriptionRow, { kind, ...news }: News): Promise<void> {
  const first = await readPayment(ctx.db, row.firstPaymentId);
  if (!first || !(await mayMailPayer(ctx.db, first))) return;
  const { description, amount } = row;
  const payment = { ...first, description, customer: await addresseeOf(ctx.db, row, first) };
  const to = payment.customer?.email ?? null;
  if (to === null) return;
  const { account, ...letter } = await letterAbout(ctx, payment);
  const data = { ...aboutPayment(payment), amount, ...news };
  await enqueueMail(ctx, { kind, to, account, ...letter, isAutomatic: true, link: null, data });
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
    data: { ...aboutPayment(payment), description: row.description, amount: row.amount, at: nextChargeAt(row) },
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
