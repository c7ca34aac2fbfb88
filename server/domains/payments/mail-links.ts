// The secret links in mails about payment requests, derived when a mail is delivered.
import type { MailLink } from "@/server/domains/mails/links";
import { amountDue, statusAt } from "./derive";
import { paymentUrl, receiptUrl } from "./link";
import { readPayment } from "./store";

/** The pay link, as long as something is due: nobody is asked for money that is no longer wanted. */
export const payMailLink: MailLink = async (q, runtime, paymentId) => {
  const row = await readPayment(q, paymentId);
  if (!row || amountDue(row) === 0) return null;
  const isOver = ["canceled", "expired", "failed"].includes(statusAt(row, runtime.clock.now()));
  return isOver ? null : paymentUrl(runtime, row);
};

/** The receipt. */
export const receiptMailLink: MailLink = async (q, runtime, paymentId) => {
  const row = await readPayment(q, paymentId);
  return row ? receiptUrl(runtime, row, row.amountPaid) : null;
};
