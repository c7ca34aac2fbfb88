// Tables of subscriptions, and of the cards that providers keep for them.
import { sql } from "drizzle-orm";
import type { Columns } from "../columns";
import { isSampled, pairOf } from "../sample";
import { inList, isAmount, isCurrency } from "./checks";
import type { identityTables } from "./identity";
import type { LineItem } from "./line-values";
import type { paymentTables } from "./payments";
import {
  type Metadata,
  methodStatuses,
  type PaymentMethod,
  pauseReasons,
  subscriptionEnds,
  subscriptionIntervals,
  subscriptionStatuses,
  type TransactionFailure,
} from "./values";

/** Cycles that a pause took out: from the first one to the one with which it went on; null until the pause is over. */
type PausedCycles = readonly [from: number, to: number | null];

export function subscriptionTables(
  k: Columns,
  { organizations, accounts }: ReturnType<typeof identityTables>,
  { payments }: ReturnType<typeof paymentTables>,
) {
  /**
   * Cards that a provider keeps: we have its reference, never the number. One is stored by a charge, or without money by
   * an attempt of its own, whose row this then is.
   */
  const storedMethods = k.table(
    "stored_methods",
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
      customerId: k.text("customer_id"),
      /** The payment request on whose page the payer entered it; with a card link, the one that began the subscription. */
      paymentId: k
        .text("payment_id")
        .notNull()
        .references(() => payments.id),
      /** The charge that stored it; null if it was stored without money. */
      transactionId: k.text("transaction_id"),
      /** The hash of the card link on whose page the payer entered it; null for the page of a payment request. */
      cardLink: k.text("card_link"),
      status: k.oneOf("status", [...methodStatuses]).notNull(),
      provider: k.text("provider").notNull(),
      /** The provider's reference of the stored card; null until it is stored. */
      providerReference: k.text("provider_reference"),
      /** The provider's reference of the attempt to store it without money. */
      attemptReference: k.text("attempt_reference"),
      /** SHA-256 of the pay form's one-time token, of an attempt. */
      attemptKey: k.text("attempt_key"),
      /** Of an attempt: the instant, by the database's clock, from which the provider may no longer be asked for it. */
      startBefore: k.instant("start_before"),
      /** Where the payer confirms the attempt, while it waits for that. */
      actionUrl: k.text("action_url"),
      paymentMethod: k.json<PaymentMethod>()("payment_method"),
      failure: k.json<TransactionFailure>()("failure"),
      livemode: k.boolean("livemode").notNull(),
      settledAt: k.instant("settled_at"),
      createdAt: k.instant("created_at").notNull(),
      updatedAt: k.instant("updated_at").notNull(),
    },
    (t) => [
      k.uniqueIndex("stored_methods_attempt").on(t.attemptKey).where(sql`${t.attemptKey} is not null`),
      k.uniqueIndex("stored_methods_transaction").on(t.transactionId).where(sql`${t.transactionId} is not null`),
      k.index("stored_methods_payment").on(t.paymentId, t.createdAt, t.id),
      k.index("stored_methods_customer").on(t.customerId).where(sql`${t.customerId} is not null`),
      // Finds the other rows of a card that was stored twice.
      k.index("stored_methods_reference").on(t.providerReference).where(sql`${t.providerReference} is not null`),
      k.check("stored_methods_status", inList(t.status, methodStatuses)),
    ],
  );

  /** Locked after its payment requests, and written only with its row locked. */
  const subscriptions = k.table(
    "subscriptions",
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
      customerId: k.text("customer_id"),
      status: k.oneOf("status", [...subscriptionStatuses]).notNull(),
      /** Of the cycles whose payment request does not exist yet, like the line items, description and metadata. */
      amount: k.money("amount").notNull(),
      /** What was paid for the latest cycle that was paid; before that, the first amount. */
      chargedAmount: k.money("charged_amount").notNull(),
      /** What the amount is made of; empty if nothing says so. */
      lineItems: k.json<LineItem[]>()("line_items").notNull(),
      description: k.text("description"),
      currency: k.text("currency").notNull(),
      interval: k.oneOf("interval", [...subscriptionIntervals]).notNull(),
      intervalCount: k.integer("interval_count").notNull(),
      /** How many cycles there are in all; null without end. */
      cycles: k.integer("cycles"),
      /** How many have a payment request, and how many of these were paid. */
      cyclesBegun: k.integer("cycles_begun").notNull().default(0),
      cyclesDone: k.integer("cycles_done").notNull().default(0),
      /** The number of the next period that can begin: periods are counted from the anchor, the first one is 1. */
      nextCycle: k.integer("next_cycle").notNull().default(1),
      /** The begin of the first period, from which all others follow in this time zone; null while incomplete. */
      anchorAt: k.instant("anchor_at"),
      timezone: k.text("timezone").notNull(),
      trialEndsAt: k.instant("trial_ends_at"),
      /** When the customer was told that the trial ends. */
      trialNoticeAt: k.instant("trial_notice_at"),
      currentPeriodStart: k.instant("current_period_start"),
      currentPeriodEnd: k.instant("current_period_end"),
      /** When the next period begins; null if none does by itself. */
      nextChargeAt: k.instant("next_charge_at"),
      /** When the renewal that is open failed first, how often it was tried since, and when it is tried next. */
      failedAt: k.instant("failed_at"),
      retries: k.integer("retries").notNull().default(0),
      retryAt: k.instant("retry_at"),
      /** Whether the bank said that the stored card must not be tried again. */
      isMethodRefused: k.boolean("is_method_refused").notNull().default(false),
      /** The charge of the stored card that is under way. */
      attemptId: k.text("attempt_id"),
      methodId: k.text("method_id").references(() => storedMethods.id),
      resumeAt: k.instant("resume_at"),
      /** Why it waits, if no caller has paused it: `resume_at` does not end such a pause. */
      pauseReason: k.oneOf("pause_reason", [...pauseReasons]),
      /**
       * What pauses took out, in order, kept at least while periods that began before them have no payment request. Null
       * if no period is to be left out.
       */
      pausedCycles: k.json<PausedCycles[]>()("paused_cycles"),
      cancelAtPeriodEnd: k.boolean("cancel_at_period_end").notNull().default(false),
      canceledAt: k.instant("canceled_at"),
      endedAt: k.instant("ended_at"),
      endReason: k.oneOf("end_reason", [...subscriptionEnds]),
      firstPaymentId: k
        .text("first_payment_id")
        .notNull()
        .references(() => payments.id),
      latestPaymentId: k
        .text("latest_payment_id")
        .notNull()
        .references(() => payments.id),
      metadata: k.json<Metadata>()("metadata").notNull(),
      livemode: k.boolean("livemode").notNull(),
      createdAt: k.instant("created_at").notNull(),
      updatedAt: k.instant("updated_at").notNull(),
      changedAt: k.changedAt(),
    },
    (t) => [
      k.index("subscriptions_changed").on(t.organizationId, t.changedAt, t.id),
      k.index("subscriptions_page").on(t.organizationId, t.createdAt, t.id),
      k.index("subscriptions_sample").on(t.organizationId, pairOf).where(isSampled),
      k.index("subscriptions_account_sample").on(t.accountId, pairOf).where(isSampled),
      k.index("subscriptions_account_page").on(t.accountId, t.createdAt, t.id),
      k.index("subscriptions_past_due").on(t.organizationId, t.createdAt, t.id).where(sql`status = 'past_due'`),
      k.index("subscriptions_customer").on(t.customerId, t.createdAt, t.id).where(sql`${t.customerId} is not null`),
      k.check("subscriptions_status", inList(t.status, subscriptionStatuses)),
      k.index("subscriptions_waiting").on(t.organizationId, t.createdAt, t.id).where(sql`pause_reason is not null`),
      k.check("subscriptions_pause_reason", sql`${t.pauseReason} is null or ${t.status} = 'paused'`),
      k.check("subscriptions_amount", isAmount(t.amount)),
      k.check("subscriptions_currency", isCurrency(t.currency)),
      k.check("subscriptions_cycles", sql`${t.cyclesDone} between 0 and ${t.cyclesBegun}`),
    ],
  );

  /** The payment request of each period that has begun. The primary key keeps a period from being charged twice. */
  const subscriptionCycles = k.table(
    "subscription_cycles",
    {
      subscriptionId: k
        .text("subscription_id")
        .notNull()
        .references(() => subscriptions.id),
      cycle: k.integer("cycle").notNull(),
      paymentId: k
        .text("payment_id")
        .notNull()
        .references(() => payments.id),
      organizationId: k.text("organization_id").notNull(),
      /** Minor units, as asked for. */
      amount: k.money("amount").notNull(),
      periodStart: k.instant("period_start").notNull(),
      periodEnd: k.instant("period_end").notNull(),
      /** Whether the whole period had passed when its payment request was made, so that its card was not charged. */
      isMissed: k.boolean("is_missed").notNull().default(false),
      paidAt: k.instant("paid_at"),
      createdAt: k.instant("created_at").notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.subscriptionId, t.cycle] }),
      k.uniqueIndex("subscription_cycles_payment").on(t.paymentId),
      k.index("subscription_cycles_missed").on(t.organizationId, t.createdAt).where(sql`is_missed and paid_at is null`),
    ],
  );

  /**
   * The link with which the customer stores another card for a subscription. A new one replaces it. Written only with the
   * row of the subscription locked.
   */
  const cardLinks = k.table(
    "card_links",
    {
      subscriptionId: k
        .text("subscription_id")
        .primaryKey()
        .references(() => subscriptions.id),
      /** SHA-256 of the whole token, in hexadecimal. */
      hash: k.text("hash").notNull(),
      /** What the token is derived from, with the server key of that id. */
      nonce: k.text("nonce").notNull(),
      keyId: k.text("key_id").notNull(),
      createdAt: k.instant("created_at").notNull(),
      expiresAt: k.instant("expires_at").notNull(),
      /** When a card was stored with it. */
      usedAt: k.instant("used_at"),
    },
    (t) => [k.uniqueIndex("card_links_hash").on(t.hash)],
  );

  return { storedMethods, subscriptions, subscriptionCycles, cardLinks };
}
