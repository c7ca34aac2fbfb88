// The mails with which an account asks its customer to pay, and reminds the customer; and the one that tells the account
// that the customer needs a new link. Limits on mails apply.
import type { AccountRow } from "@/server/domains/accounts/authorized-account";
import { localesFor } from "@/server/domains/customers/locales";
import { enqueueMail } from "@/server/domains/mails/enqueue";
import type { MailRow } from "@/server/domains/mails/store";
import { mailThrottles, senderOf } from "@/server/domains/mails/throttles";
import { reserve } from "@/server/fairness/throttle";
import type { WriteContext } from "@/server/kit/context";
import { lastWholeDay } from "@/server/kit/deadline";
import { foldEmail } from "@/server/kit/fields";
import { askedNext } from "./choices";
import { amountDue } from "./derive";
import { timezoneOf } from "./due-date";
import { hasPdf, invoiceFile } from "./link";
import { isReusable } from "./links/usage";
import { payMailObject } from "./mail-links";
import { dueState } from "./reminder-times";
import type { PaymentRow } from "./store";

interface Letter {
  kind: "payment_request" | "payment_reminder";
  to: string;
  /** What the sender adds. */
  message: string | null;
  /** Nobody asked for it, and its delivery counts it. */
  isAutomatic?: boolean;
}

/** What decides about the limits of a mail about the payment request. */
export const countedOf = ({ organizationId, accountId, id: paymentId }: PaymentRow, to: string) => ({
  ...{ organizationId, accountId, paymentId },
  toKey: foldEmail(to),
});

/** Writes the caller's mail. Refuses with `rate_limited` beyond a limit. Takes row locks, so call it last. */
export async function mailRequest(
  ctx: WriteContext,
  account: AccountRow,
  row: PaymentRow,
  letter: Letter,
): Promise<MailRow> {
  await reserve(ctx.db, ctx.realNow, mailThrottles(countedOf(row, letter.to), senderOf(ctx)));
  return writeRequestMail(ctx, account, row, letter);
}

/** Writes a mail that has been counted against the limits. */
export async function writeRequestMail(
  ctx: WriteContext,
  account: AccountRow,
  row: PaymentRow,
  { kind, to, message, isAutomatic = false }: Letter,
): Promise<MailRow> {
  const { id: paymentId, organizationId, accountId, customer, description, reference, currency, livemode } = row;
  const { name, email, preferences } = account;
  return enqueueMail(ctx, {
    ...{ kind, organizationId, paymentId, to, isAutomatic, account: { id: accountId, name, email } },
    ...{ locales: await localesFor(ctx.db, row, account), timezone: preferences.timezone },
    link: { purpose: "pay", objectId: payMailObject(row) },
    data: {
      ...{ ...askedAmounts(row, ctx.now), currency, description, reference, livemode, message },
      ...{ customerName: customer?.name ?? null, at: row.dueAt ?? payBy(row, ctx.now) },
      invoice: invoiceIn(row),
      timing: dueState(row, ctx.now, await timezoneOf(ctx.db, account)),
    },
  });
}

/** The day that the pay page names, as an instant; null for what does not expire. */
const payBy = ({ expiresAt }: PaymentRow, now: number): number | null =>
  expiresAt === null ? null : (lastWholeDay(expiresAt, now) ?? expiresAt);

const invoiceIn = (row: PaymentRow) =>
  row.invoiceNumber !== null && hasPdf(row) ? { number: row.invoiceNumber, path: `/${invoiceFile}` } : null;

/** What the mail asks for: of a reusable link the price of one use, or null where each payer chooses. */
function askedAmounts(row: PaymentRow, now: number): { amount: number | null; due: number | null } {
  if (row.isTrial) return { amount: row.amount, due: row.amount };
  if (!isReusable(row)) return { amount: askedNext(row, now), due: amountDue(row) };
  const price = row.amount;
  return { amount: price, due: price };
}

/** Tells the account by mail that the payer needs a new link. Its limits are checked at delivery. */
export function mailLinkRequest(ctx: WriteContext, account: AccountRow, row: PaymentRow): Promise<MailRow> {
  const { id: paymentId, organizationId, accountId, customer, description, reference, currency, livemode } = row;
  const { name, email, preferences } = account;
  return enqueueMail(ctx, {
    ...{ kind: "link_request", organizationId, paymentId, to: email, isAutomatic: true },
    // A reply goes to the customer.
    account: { id: accountId, name, email: customer?.email ?? email },
    ...{ locales: [preferences.locale], timezone: preferences.timezone },
    link: { purpose: "expired_request", objectId: paymentId },
    data: {
      ...{ amount: amountDue(row), currency, description, reference, livemode },
      ...{ customerName: customer?.name ?? null, at: row.expiresAt },
    },
  });
}

/** Announces a reminder; `offsetDays` is null for one that somebody sent. */
export function announceReminder(
  ctx: WriteContext,
  row: PaymentRow,
  { mailId, offsetDays }: { mailId: string; offsetDays: number | null },
): void {
  const { id, organizationId, accountId, status, amount, currency, livemode } = row;
  ctx.emit({
    ...{ type: "payment.reminder_sent", object: id, accountId, organizationId },
    data: {
      ...{ payment_id: id, status, previous_status: status, mail_id: mailId, offset_days: offsetDays },
      ...{ amount, amount_due: amountDue(row), currency, livemode },
    },
  });
}
