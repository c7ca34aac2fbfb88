// Tables of payment requests.
import { sql } from "drizzle-orm";
import type { Columns } from "../columns";
import { isSampled, pairOf } from "../sample";
import { inList, isAmount, isCurrency } from "./checks";
import type { identityTables } from "./identity";
import type { InvoiceTerms } from "./invoice-values";
import type { LineItem } from "./line-values";
import {
  type CustomAmount,
  type Customer,
  captureMethods,
  type Draft,
  disputeStatuses,
  type Installment,
  type Metadata,
  paymentPlaces,
  paymentStatuses,
  paymentTypes,
  type SubscriptionTerms,
  type TransactionFailure,
  unpaidStatuses,
} from "./values";

export function paymentTables(k: Columns, { organizations, accounts }: ReturnType<typeof identityTables>) {
  const payments = k.table(
    "payments",
    {
      id: k.text("id").primaryKey(),
      organizationId: k
        .text("organization_id")
        .notNull()
        .references(() => organizations.id),
      accountId: k
        .text("account_id")
        .notNull()
        .references(() => accounts.id),
      type: k.oneOf("type", [...paymentTypes]).notNull(),
      /** Derived from the transactions and stored with them. Readers add states that depend on the time. */
      status: k.oneOf("status", [...paymentStatuses]).notNull(),
      /** Null exactly for a reusable link whose payers choose it. */
      amount: k.money("amount"),
      currency: k.text("currency").notNull(),
      amountPaid: k.money("amount_paid").notNull().default(0),
      amountAuthorized: k.money("amount_authorized").notNull().default(0),
      amountCapturable: k.money("amount_capturable").notNull().default(0),
      amountReleased: k.money("amount_released").notNull().default(0),
      /** The part of the released amount that a final partial capture waived. It is no longer due. */
      amountWaived: k.money("amount_waived").notNull().default(0),
      amountRefunded: k.money("amount_refunded").notNull().default(0),
      /** What open disputes hold, and lost ones took. */
      amountDisputed: k.money("amount_disputed").notNull().default(0),
      disputeStatus: k
        .oneOf("dispute_status", [...disputeStatuses])
        .notNull()
        .default("none"),
      /** The part of what was paid above the amount that became credit of the customer. */
      amountCredited: k.money("amount_credited").notNull().default(0),
      /** Paid above the amount, and neither refunded yet nor made credit. */
      amountOverpaid: k.money("amount_overpaid").notNull().default(0),
      /** The part of what lost disputes took of which nobody has decided yet whether it is due again or written off. */
      amountLost: k.money("amount_lost").notNull().default(0),
      /** What was made due again after lost disputes, set by that command: what is due is the amount and this. */
      amountReopened: k.money("amount_reopened").notNull().default(0),
      /** What was written off after lost disputes, set by that command. */
      amountWrittenOff: k.money("amount_written_off").notNull().default(0),
      /** Why the merchant wrote it off last. Payers never see it. */
      writeOffReason: k.text("write_off_reason"),
      /** When money arrived after the end that nobody has accepted or given back yet. */
      paidLateAt: k.instant("paid_late_at"),
      attemptCount: k.integer("attempt_count").notNull().default(0),
      description: k.text("description"),
      reference: k.text("reference"),
      customer: k.json<Customer>()("customer"),
      /** Its customer; null if it names none. */
      customerId: k.text("customer_id"),
      /** The customer's e-mail, case-folded, for the list's filter. */
      customerEmailKey: k.text("customer_email_key"),
      lineItems: k.json<LineItem[]>()("line_items").notNull(),
      subscription: k.json<SubscriptionTerms>()("subscription"),
      /** Whether its page only stores a card, because a trial begins: the whole amount is waived. */
      isTrial: k.boolean("is_trial").notNull().default(false),
      /** Whether it is a later period of a subscription, made by itself. */
      isRenewal: k.boolean("is_renewal").notNull().default(false),
      /** The subscription that it began or is a cycle of. No foreign key, because subscriptions refer to payments. */
      subscriptionId: k.text("subscription_id"),
      captureMethod: k.oneOf("capture_method", [...captureMethods]).notNull(),
      /** Whether the payer may pay any part, of at least the minimum amount. */
      allowPartial: k.boolean("allow_partial").notNull().default(false),
      minimumAmount: k.money("minimum_amount"),
      /** The agreed installments, the first one first; null without. What is paid of each follows from the amounts. */
      installments: k.json<Installment[]>()("installments"),
      /**
       * How often it can be paid; null without limit. With another limit than 1 it is a reusable link: each payer gets a
       * payment request of his or her own, its use. The amount is the price of one use and waived, so that none is due.
       */
      usageLimit: k.integer("usage_limit").default(1),
      /** Of a reusable link: how many uses were paid, and how many hold a place because they are being paid. */
      usesCount: k.integer("uses_count").notNull().default(0),
      usesReserved: k.integer("uses_reserved").notNull().default(0),
      /** Of a reusable link: between which amounts the payer chooses, instead of an amount. */
      customAmount: k.json<CustomAmount>()("custom_amount"),
      /** The reusable link that it is a use of. No foreign key, because no payment request is ever deleted. */
      parentPaymentId: k.text("parent_payment_id"),
      /** The place of a use: held while it is being paid, taken once it was paid; null without one. */
      place: k.oneOf("place", [...paymentPlaces]),
      /** The address block that began the use, hashed, until it is paid. */
      payerKey: k.text("payer_key"),
      /** Whether nobody is asked to pay it: a reusable link, or a use that was begun and is not being paid. */
      isIdle: k.boolean("is_idle").notNull().default(false),
      /** Of a reusable link: when cards were last declined so often within an hour that somebody should look. */
      manyDeclinesAt: k.instant("many_declines_at"),
      /** Of a reusable link: when the merchant paused it; null while it is open. */
      pausedAt: k.instant("paused_at"),
      /** Of a use: whether its expiry was changed alone, so that it no longer follows that of its link. */
      expiresAlone: k.boolean("expires_alone").notNull().default(false),
      /** Of a use: when it was paid without a place, after the last one had gone to somebody else. */
      cameLateAt: k.instant("came_late_at"),
      /** Of a use that came late: since when more uses of its link are paid than it has places. */
      overLimitAt: k.instant("over_limit_at"),
      /** When its payer last asked for a new link. */
      linkRequestedAt: k.instant("link_requested_at"),
      /** The mail that told the account so; null where none could be sent. No foreign key: mails are not kept as long. */
      linkRequestMailId: k.text("link_request_mail_id"),
      /** For when the reminder was planned that waits for room within the limits on mails; null if none waits. */
      reminderWaitsSince: k.instant("reminder_waits_since"),
      /** When it was last duplicated, which answers an earlier request for a new link. */
      linkAnsweredAt: k.instant("link_answered_at"),
      /** Of an invoice: its terms; null if none were given and it is not final. */
      invoice: k.json<InvoiceTerms>()("invoice"),
      /** Of an invoice: given when it became final. */
      invoiceNumber: k.text("invoice_number"),
      /** Of an invoice: the first character of it that no font of its PDF has. */
      pdfProblem: k.text("pdf_problem"),
      captureBefore: k.instant("capture_before"),
      successUrl: k.text("success_url"),
      cancelUrl: k.text("cancel_url"),
      locale: k.text("locale"),
      metadata: k.json<Metadata>()("metadata").notNull(),
      lastError: k.json<TransactionFailure>()("last_error"),
      /** Where the payer confirms the current attempt, while it waits for that. */
      actionUrl: k.text("action_url"),
      /** Set by commands that end a payment request regardless of its transactions. */
      canceledAt: k.instant("canceled_at"),
      /** Why the merchant canceled it. Payers never see it. */
      cancellationReason: k.text("cancellation_reason"),
      /** When so many attempts had failed that its page takes no card; null again once the merchant allows cards. */
      failedAt: k.instant("failed_at"),
      /** When the merchant last allowed cards to be tried again. Attempts that failed before no longer count. */
      cardsAllowedAt: k.instant("cards_allowed_at"),
      /** What a draft keeps until it is finalized; null once it is final. Until then it has no link. */
      draft: k.json<Draft>()("draft"),
      paidAt: k.instant("paid_at"),
      viewedAt: k.instant("viewed_at"),
      /** With installments: when the oldest one is due that is not paid in full, or the last one once all are. */
      dueAt: k.instant("due_at"),
      expiresAt: k.instant("expires_at"),
      /** When it was last extended. Authorizations that had lapsed by then no longer end it. */
      extendedAt: k.instant("extended_at"),
      livemode: k.boolean("livemode").notNull(),
      /** SHA-256 of the pay link's token, and the random part that the token is derived from. */
      linkHash: k.text("link_hash"),
      linkNonce: k.text("link_nonce"),
      linkKeyId: k.text("link_key_id"),
      version: k.integer("version").notNull().default(1),
      createdAt: k.instant("created_at").notNull(),
      updatedAt: k.instant("updated_at").notNull(),
      changedAt: k.changedAt(),
    },
    (t) => [
      k.uniqueIndex("payments_link").on(t.linkHash),
      k.uniqueIndex("payments_reference").on(t.accountId, t.reference),
      k.index("payments_changed").on(t.organizationId, t.changedAt, t.id),
      k.index("payments_page").on(t.organizationId, t.createdAt, t.id),
      k.index("payments_sample").on(t.organizationId, pairOf).where(isSampled),
      k.index("payments_account_sample").on(t.accountId, pairOf).where(isSampled),
      k.index("payments_account_page").on(t.accountId, t.createdAt, t.id),
      // Includes the dates that change a status, so that counting statuses reads only this index.
      k.index("payments_status_page").on(t.organizationId, t.status, t.createdAt, t.id, t.expiresAt, t.captureBefore),
      // Payment requests that are overdue or will be, if they are not paid in time. Counting reads only this index.
      k
        .index("payments_due")
        .on(t.organizationId, t.type, t.createdAt, t.id, t.status, t.dueAt, t.expiresAt)
        .where(sql`${t.dueAt} is not null and ${inList(t.status, unpaidStatuses)}`),
      // Payment requests that a fast clock may have expired, found by when they were written.
      k.index("payments_expired").on(t.updatedAt).where(sql`status = 'expired'`),
      k.index("payments_customer_email").on(t.organizationId, t.customerEmailKey, t.createdAt, t.id),
      k.index("payments_held").on(t.parentPaymentId, t.payerKey).where(sql`${t.place} = 'held'`),
      k
        .index("payments_subscription")
        .on(t.subscriptionId, t.createdAt, t.id)
        .where(sql`${t.subscriptionId} is not null`),
      k.index("payments_parent").on(t.parentPaymentId, t.createdAt, t.id).where(sql`${t.parentPaymentId} is not null`),
      // Reusable links, for their own list: literals, as in the condition of the query.
      k
        .index("payments_links")
        .on(t.organizationId, t.createdAt, t.id)
        .where(sql`usage_limit is null or usage_limit <> 1`),
      k
        .index("payments_account_links")
        .on(t.accountId, t.createdAt, t.id)
        .where(sql`usage_limit is null or usage_limit <> 1`),
      // What needs attention, of which there is little. SQLite prefers the index that was made last.
      k.index("payments_overpaid").on(t.organizationId, t.createdAt, t.id).where(sql`${t.amountOverpaid} > 0`),
      k.index("payments_lost").on(t.organizationId, t.createdAt, t.id).where(sql`${t.amountLost} > 0`),
      k.index("payments_paid_late").on(t.organizationId, t.createdAt, t.id).where(sql`paid_late_at is not null`),
      k.index("payments_over_limit").on(t.organizationId, t.createdAt, t.id).where(sql`over_limit_at is not null`),
      k
        .index("payments_reminder_waiting")
        .on(t.organizationId, t.createdAt, t.id)
        .where(sql`reminder_waits_since is not null`),
      k
        .index("payments_link_requested")
        .on(t.organizationId, t.createdAt, t.id)
        .where(sql`link_requested_at is not null`),
      k.index("payments_customer").on(t.customerId, t.createdAt, t.id).where(sql`${t.customerId} is not null`),
      k.check("payments_draft", sql`(${t.draft} is not null) = (${t.linkHash} is null)`),
      k.check("payments_link_nonce", sql`(${t.linkNonce} is null) = (${t.linkHash} is null)`),
      k.check("payments_link_key", sql`(${t.linkKeyId} is null) = (${t.linkHash} is null)`),
      k.check("payments_type", inList(t.type, paymentTypes)),
      k.check("payments_status", inList(t.status, paymentStatuses)),
      k.check("payments_capture_method", inList(t.captureMethod, captureMethods)),
      k.check("payments_amount", isAmount(t.amount)),
      k.check("payments_custom_amount", sql`(${t.amount} is null) = (${t.customAmount} is not null)`),
      k.check("payments_currency", isCurrency(t.currency)),
      k.check(
        "payments_amounts",
        sql`${t.amountPaid} >= 0 and ${t.amountRefunded} between 0 and ${t.amountPaid} and ${t.amountCapturable} >= 0 and ${t.amountReleased} >= 0`,
      ),
    ],
  );

  /** One row per case-folded word of a payment request's texts, so that a prefix search is an index range. */
  const paymentWords = k.table(
    "payment_words",
    {
      paymentId: k
        .text("payment_id")
        .notNull()
        .references(() => payments.id),
      organizationId: k.text("organization_id").notNull(),
      word: k.text("word").notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.paymentId, t.word] }),
      k.index("payment_words_search").on(t.organizationId, k.bytewise(t.word), t.paymentId),
    ],
  );

  return { payments, paymentWords };
}
