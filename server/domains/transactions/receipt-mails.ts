// The receipts that customers get without anybody asking: of each payment of a payment request, and of each refund.
import type { Customer, PaymentMethod } from "@/db/schema/values";
import { readAccount } from "@/server/domains/accounts/store";
import { localesFor } from "@/server/domains/customers/locales";
import { enqueueMail } from "@/server/domains/mails/enqueue";
import { readUser } from "@/server/domains/users/store";
import type { WriteContext } from "@/server/kit/context";
import { userOf } from "@/server/kit/identity";

/** What was paid or refunded. */
interface Receipt {
  kind: "payment_receipt" | "refund_receipt";
  /** The transaction that pays or refunds. */
  id: string;
  organizationId: string;
  accountId: string;
  paymentId: string | null;
  /** Minor units. */
  amount: number;
  /** What is still to be paid then; for payments. */
  due?: number;
  /** When the money moved; epoch ms. */
  effectiveAt: number;
  paymentMethod: PaymentMethod | null;
  /** Whether it was paid out of the customer's credit, or refunded into it. */
  usesCredit: boolean;
  currency: string;
  customer: Customer | null;
  description: string | null;
  reference: string | null;
  /** The language of the payment request (BCP 47), if it has one. */
  locale: string | null;
  /** The customer that it belongs to, if it is known. */
  customerId: string | null;
  livemode: boolean;
}

/**
 * Mails the receipt, unless the customer has no e-mail, the account's `notifications` turn the kind off, or the account
 * is that of a user who may not send mail yet. Its limits are checked at delivery, so it takes no row lock and refuses
 * nothing.
 */
export async function mailReceipt(ctx: WriteContext, receipt: Receipt): Promise<void> {
  const { kind, organizationId, accountId, paymentId, customer } = receipt;
  const to = customer?.email;
  if (!to) return;
  const account = await readAccount(ctx.db, organizationId, accountId);
  const { name, email, preferences, ownerUserId } = account;
  if (preferences.notifications[kind] === false || !(await mayMailFor(ctx, ownerUserId))) return;
  const { amount, due, usesCredit, currency, description, reference, livemode, paymentMethod: method } = receipt;
  const facts = { amount, due, usesCredit, method, currency, description, reference, livemode };
  const data = { ...facts, customerName: customer.name, at: receipt.effectiveAt };
  const mail = {
    ...{ organizationId, paymentId, to, account: { id: accountId, name, email }, isAutomatic: true },
    ...{ locales: await localesFor(ctx.db, receipt, account), timezone: preferences.timezone },
  };
  // Without a payment request there is no page to link to.
  if (paymentId !== null) {
    await enqueueMail(ctx, { ...mail, kind, data, link: { purpose: "receipt", objectId: receipt.id } });
  } else if (kind === "refund_receipt") {
    await enqueueMail(ctx, { ...mail, kind, data, link: { purpose: "refund", objectId: receipt.id } });
  }
}

/**
 * Whether the caller and the account's owner have verified their e-mail addresses. Anyone can sign up and pay in the
 * sandbox, so an automatic mail would let strangers mail any address.
 */
export async function mayMailFor({ db, actor }: WriteContext, ownerUserId: string | null): Promise<boolean> {
  if (userOf(actor)?.hasUnverifiedEmail) return false;
  const owner = ownerUserId === null ? undefined : await readUser(db, ownerUserId);
  return owner?.emailVerifiedAt !== null;
}
