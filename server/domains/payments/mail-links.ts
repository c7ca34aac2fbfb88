// The secret links in mails about payment requests, derived when a mail is delivered: none if the mail no longer holds.
import { readAccount } from "@/server/domains/accounts/store";
import type { MailLink } from "@/server/domains/mails/links";
import { hasMoved, timeOf } from "@/server/domains/organizations/time";
import { readTransaction } from "@/server/domains/transactions/store";
import { amountDue, derivePaymentStatus } from "./derive";
import { factsOf } from "./facts";
import { paymentUrl, receiptPart, receiptUrl } from "./link";
import { isAvailable, refusalToAsk } from "./rules";
import { type PaymentRow, readPayment } from "./store";

/** What a pay link in a mail belongs to: the payment request, and the amount due that the mail names. */
export const payMailObject = (row: PaymentRow): string => `${row.id}:${amountDue(row)}`;

/**
 * The pay link, as long as exactly the named amount can be paid: nobody is asked for money that is not wanted. A mail
 * that became due during a jump of a sandbox clock goes even if the jump went past the expiry, as it would have before.
 */
export const payMailLink: MailLink = async (q, runtime, object) => {
  const row = await readPayment(q, object.split(":")[0] ?? "");
  if (!row || payMailObject(row) !== object) return null;
  if (!isAvailable(await readAccount(q, row.organizationId, row.accountId))) return null;
  const refusal = refusalToAsk(await factsOf(q, row), await timeOf(runtime, q, row.organizationId));
  const isJumpedOver = refusal === "payment_expired" && (await hasMoved(q, row.organizationId));
  return refusal === null || isJumpedOver ? paymentUrl(runtime, row) : null;
};

/** The dashboard's page of a payment request, as long as it has expired. */
export const expiredMailLink: MailLink = async (q, runtime, paymentId) => {
  const row = await readPayment(q, paymentId);
  if (!row) return null;
  const now = await timeOf(runtime, q, row.organizationId);
  if (derivePaymentStatus(await factsOf(q, row), now) !== "expired") return null;
  return `${runtime.env.appUrl}/dashboard/payment-requests/${row.id}`;
};

/** The receipt of a payment, or of a payment request of which a refund has not failed. */
export const receiptMailLink: MailLink = async (q, runtime, objectId) => {
  const transaction = await readTransaction(q, objectId);
  const isPayment = transaction?.type === "payment";
  const paymentId = isPayment ? transaction.paymentId : await refundedBy(q, objectId);
  const row = paymentId == null ? undefined : await readPayment(q, paymentId);
  const url = row ? receiptUrl(runtime, row, row.amountPaid) : null;
  return url !== null && isPayment ? `${url}?${new URLSearchParams(receiptPart(objectId))}` : url;
};

/** A refund without a payment request has no receipt to link to. */
export const refundMailLink: MailLink = async (q, _runtime, refundId) =>
  (await refundedBy(q, refundId)) === undefined ? null : undefined;

/** The payment request of a refund that has succeeded; null if it has none, undefined if the refund has failed. */
async function refundedBy(q: Parameters<MailLink>[0], refundId: string): Promise<string | null | undefined> {
  const refund = await readTransaction(q, refundId);
  return refund?.status === "succeeded" ? refund.paymentId : undefined;
}
