// Tables of transactions, and of their searchable words and metadata.
import { sql } from "drizzle-orm";
import type { Columns } from "../columns";
import { isSampled, pairOf } from "../sample";
import { inList, isAmount, isCurrency } from "./checks";
import type { identityTables } from "./identity";
import type { paymentTables } from "./payments";
import {
  type Customer,
  directions,
  disputeStatuses,
  type Metadata,
  type PaymentMethod,
  settlesWithinMs,
  type TransactionFailure,
  transactionStatuses,
  transactionTypes,
  type UnexpectedDispute,
} from "./values";

export function transactionTables(
  k: Columns,
  { organizations, accounts }: ReturnType<typeof identityTables>,
  { payments }: ReturnType<typeof paymentTables>,
) {
  const transactions = k.table(
    "transactions",
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
      type: k.oneOf("type", [...transactionTypes]).notNull(),
      status: k.oneOf("status", [...transactionStatuses]).notNull(),
      direction: k.oneOf("direction", [...directions]).notNull(),
      amount: k.money("amount").notNull(),
      currency: k.text("currency").notNull(),
      feeAmount: k.money("fee_amount").notNull().default(0),
      amountAuthorized: k.money("amount_authorized").notNull().default(0),
      amountCaptured: k.money("amount_captured").notNull().default(0),
      amountReleased: k.money("amount_released").notNull().default(0),
      /** Total of successful refunds. */
      amountRefunded: k.money("amount_refunded").notNull().default(0),
      /** Total of pending refunds: reserved, not yet succeeded. */
      amountRefunding: k.money("amount_refunding").notNull().default(0),
      /** What an open dispute holds, or a lost one took. */
      amountDisputed: k.money("amount_disputed").notNull().default(0),
      disputeStatus: k
        .oneOf("dispute_status", [...disputeStatuses])
        .notNull()
        .default("none"),
      /** The provider's reference of the dispute; null if it gave none. */
      disputeReference: k.text("dispute_reference"),
      /** What the provider last said about a dispute that cannot be booked, such as a second dispute. */
      unexpectedDispute: k.json<UnexpectedDispute>()("unexpected_dispute"),
      /** When it said so. Null once somebody has looked into it. */
      unexpectedDisputeAt: k.instant("unexpected_dispute_at"),
      /** When its money arrived after the end of its payment request. Null once somebody has accepted that. */
      lateAt: k.instant("late_at"),
      /** On a refund: the part that gives back a surplus, an amount paid above the payment request's. */
      amountSurplus: k.money("amount_surplus").notNull().default(0),
      /** Paid out of a customer's credit, or a refund of such a payment into it: no money came in or went out. */
      usesCredit: k.boolean("uses_credit").notNull().default(false),
      paymentId: k.text("payment_id").references(() => payments.id),
      parentTransactionId: k.text("parent_transaction_id"),
      destinationAccountId: k.text("destination_account_id").references(() => accounts.id),
      paymentMethod: k.json<PaymentMethod>()("payment_method"),
      /** The last four digits of the card in `payment_method`, in a column of their own for their index. */
      cardLast4: k.text("card_last4"),
      provider: k.text("provider"),
      providerReference: k.text("provider_reference"),
      failure: k.json<TransactionFailure>()("failure"),
      reason: k.text("reason"),
      reference: k.text("reference"),
      description: k.text("description"),
      /**
       * Of one that counts towards no payment request: the customer. Set and changed with the customer locked. No foreign
       * key, because no row of a customer is ever deleted.
       */
      customerId: k.text("customer_id"),
      customer: k.json<Customer>()("customer"),
      customerEmailKey: k.text("customer_email_key"),
      customerReference: k.text("customer_reference"),
      metadata: k.json<Metadata>()("metadata").notNull(),
      effectiveAt: k.instant("effective_at").notNull(),
      livemode: k.boolean("livemode").notNull(),
      captureBefore: k.instant("capture_before"),
      /** On a charge: the instant, by the database's clock, from which the provider may no longer be asked for it. */
      startBefore: k.instant("start_before"),
      /** On a charge that stored its card: the provider's reference of the stored card. */
      storedMethod: k.text("stored_method"),
      /** On a charge for a renewal: the stored card of its subscription when the charge began, or `none`. */
      cardBefore: k.text("card_before"),
      /** SHA-256 of the pay form's one-time token, so that a form makes one attempt however often it is sent. */
      attemptKey: k.text("attempt_key"),
      /** Minor units of a capture that was decided but not yet confirmed by the provider. */
      captureRequested: k.money("capture_requested"),
      /** Where the payer confirms the payment, while it waits for that. */
      actionUrl: k.text("action_url"),
      settledAt: k.instant("settled_at"),
      createdAt: k.instant("created_at").notNull(),
      updatedAt: k.instant("updated_at").notNull(),
      changedAt: k.changedAt(),
    },
    (t) => [
      k.index("transactions_changed").on(t.organizationId, t.changedAt, t.id),
      // Most rows have no value in most of these columns. A partial index leaves them out, so they cost nothing.
      k.uniqueIndex("transactions_reference").on(t.accountId, t.reference).where(sql`${t.reference} is not null`),
      k
        .uniqueIndex("transactions_provider")
        .on(t.provider, t.providerReference, t.type)
        .where(sql`${t.providerReference} is not null`),
      k.index("transactions_page").on(t.organizationId, t.createdAt, t.id),
      k.index("transactions_sample").on(t.organizationId, pairOf).where(isSampled),
      k.index("transactions_account_sample").on(t.accountId, pairOf).where(isSampled),
      k.index("transactions_amount_page").on(t.organizationId, t.amount, t.createdAt, t.id),
      k.index("transactions_account_page").on(t.accountId, t.createdAt, t.id),
      k
        .index("transactions_destination_page")
        .on(t.destinationAccountId, t.createdAt, t.id)
        .where(sql`${t.destinationAccountId} is not null`),
      // Includes every column that a count by status and type, or a total of them, reads: neither visits the rows.
      k
        .index("transactions_sums")
        .on(
          t.organizationId,
          t.status,
          t.createdAt,
          t.id,
          t.type,
          t.captureBefore,
          t.currency,
          t.amount,
          t.amountCaptured,
          t.amountDisputed,
          t.usesCredit,
        ),
      // Also finds the accounts that a dispute may have taken below zero.
      k.index("transactions_disputed").on(t.organizationId, t.accountId).where(sql`dispute_status in ('open', 'lost')`),
      k
        .index("transactions_disputed_page")
        .on(t.organizationId, t.createdAt, t.id)
        .where(sql`dispute_status in ('open', 'lost')`),
      // Finds a card that a charge has stored whose end is open.
      k
        .index("transactions_stored_method")
        .on(t.storedMethod)
        .where(sql`${t.storedMethod} is not null and ${t.settledAt} is null`),
      k
        .index("transactions_unexpected_dispute")
        .on(t.organizationId, t.createdAt, t.id)
        .where(sql`unexpected_dispute_at is not null`),
      // Those that settled late: nearly none.
      k
        .index("transactions_settled_late")
        .on(t.organizationId, t.settledAt, t.createdAt)
        .where(sql.raw(`settled_at - created_at > ${settlesWithinMs}`)),
      k.index("transactions_credit").on(t.paymentId).where(sql`uses_credit`),
      k.uniqueIndex("transactions_attempt").on(t.attemptKey).where(sql`${t.attemptKey} is not null`),
      k
        .index("transactions_payment")
        .on(t.paymentId, t.organizationId, t.createdAt, t.id)
        .where(sql`${t.paymentId} is not null`),
      k
        .index("transactions_parent")
        .on(t.parentTransactionId, t.organizationId, t.createdAt, t.id)
        .where(sql`${t.parentTransactionId} is not null`),
      k
        .index("transactions_under_way")
        .on(t.accountId, t.currency)
        .where(sql`status in ('processing', 'requires_action')`),
      k.index("transactions_customer").on(t.customerId, t.createdAt, t.id).where(sql`${t.customerId} is not null`),
      k
        .index("transactions_customer_email")
        .on(t.organizationId, t.customerEmailKey, t.createdAt, t.id)
        .where(sql`${t.customerEmailKey} is not null`),
      k
        .index("transactions_customer_reference")
        .on(t.organizationId, t.customerReference, t.createdAt, t.id)
        .where(sql`${t.customerReference} is not null`),
      k
        .index("transactions_card")
        .on(t.organizationId, t.cardLast4, t.createdAt, t.id)
        .where(sql`${t.cardLast4} is not null`),
      k
        .index("transactions_reference_page")
        .on(t.organizationId, t.reference, t.createdAt, t.id)
        .where(sql`${t.reference} is not null`),
      k.check("transactions_type", inList(t.type, transactionTypes)),
      k.check("transactions_status", inList(t.status, transactionStatuses)),
      k.check("transactions_direction", inList(t.direction, directions)),
      k.check("transactions_amount", isAmount(t.amount)),
      k.check("transactions_currency", isCurrency(t.currency)),
      k.check(
        "transactions_refunds",
        sql`${t.amountRefunded} >= 0 and ${t.amountRefunding} >= 0 and ${t.amountRefunded} + ${t.amountRefunding} <= ${t.amountCaptured}`,
      ),
      k.check("transactions_transfer", sql`(${t.type} = 'transfer') = (${t.destinationAccountId} is not null)`),
      k.check("transactions_refund", sql`(${t.type} = 'refund') = (${t.parentTransactionId} is not null)`),
    ],
  );

  /** One row per metadata key of a transaction, so that filtering by it is an index look-up. */
  const transactionTags = k.table(
    "transaction_tags",
    {
      transactionId: k
        .text("transaction_id")
        .notNull()
        .references(() => transactions.id),
      organizationId: k.text("organization_id").notNull(),
      scope: k.oneOf("scope", ["metadata", "customer"]).notNull(),
      key: k.text("key").notNull(),
      value: k.text("value").notNull(),
      createdAt: k.instant("created_at").notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.transactionId, t.scope, t.key] }),
      k.index("transaction_tags_search").on(t.organizationId, t.scope, t.key, t.value, t.createdAt, t.transactionId),
      k.check("transaction_tags_scope", inList(t.scope, ["metadata", "customer"])),
    ],
  );

  /** One row per case-folded word of a transaction's texts, so that a prefix search is an index range. */
  const transactionWords = k.table(
    "transaction_words",
    {
      transactionId: k
        .text("transaction_id")
        .notNull()
        .references(() => transactions.id),
      organizationId: k.text("organization_id").notNull(),
      word: k.text("word").notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.transactionId, t.word] }),
      k.index("transaction_words_search").on(t.organizationId, k.bytewise(t.word), t.transactionId),
    ],
  );

  return { transactions, transactionTags, transactionWords };
}
