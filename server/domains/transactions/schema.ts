// The wire form of transactions: input, filters and output.
import * as z from "zod";
import { directions, offlineMethods, transactionStatuses, transactionTypes } from "@/db/schema/values";
import { addressee } from "@/server/domains/customers/addressee";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";

export const transactionId = fields.id("txn", "The transaction.");

export const refundReasons = ["duplicate", "fraudulent", "requested_by_customer", "service_issue", "other"] as const;
const adjustmentReasons = ["correction", "write_off", "rounding", "goodwill", "chargeback", "other"] as const;

const common = {
  account_id: fields.id("acct", "Whose money moves; by default as for a payment request.").nullish(),
  reference: fields.reference.nullish().meta({
    description:
      "Unique within the account. Stored in Unicode Normalization Form C, so that composed and decomposed spellings are one.",
  }),
  description: fields.text(limits.description).nullish(),
  customer: addressee.nullish(),
  metadata: fields.metadata.nullish(),
  effective_at: fields.instant.nullish().meta({
    description:
      `When the money moved; the time of creation by default. At most ${limits.effectiveDays} days ago, and not in the ` +
      "future, because every transaction counts at once.",
  }),
};

/** What is known of money that was received outside the pay page. */
export const receivedOffline = {
  method: z.enum(offlineMethods).nullish().meta({
    description: "How the money arrived, if it is known. It becomes the `payment_method`.",
    example: "bank_transfer",
  }),
  reason: fields.text(limits.reason).nullish().meta({
    description: "A note on why it is recorded. The transaction keeps it; payers never see it.",
    example: "Paid at the counter",
  }),
};

const payment = z
  .strictObject({
    type: z.literal("payment"),
    amount: fields.amount,
    currency: fields.currentCurrency,
    payment_id: fields
      .id("pay", "The payment request that this counts towards; its account is then the default.")
      .nullish(),
    ...receivedOffline,
    ...common,
  })
  .meta({ id: "CreatePaymentReceived", description: "Money received outside the pay page." });

const credit = z
  .strictObject({ type: z.literal("credit"), amount: fields.amount, currency: fields.currentCurrency, ...common })
  .meta({
    id: "CreateCredit",
    description: "Goodwill from the organization to the account. Admins and API keys only.",
  });

const refund = z
  .strictObject({
    type: z.literal("refund"),
    parent_transaction_id: fields.id("txn", "The payment to refund; its account is the default."),
    amount: fields.amount.nullish().meta({ description: "Minor units; the whole remainder by default." }),
    currency: fields.currency.nullish().meta({ description: "Must be the payment's, if given." }),
    reason: z.enum(refundReasons).nullish(),
    ...common,
    description: common.description.meta({ description: "That of the payment by default." }),
  })
  .meta({ id: "CreateRefund", description: "Money returned to the customer through the original payment method." });

const transfer = z
  .strictObject({
    type: z.literal("transfer"),
    destination_account_id: fields.id("acct", "Any open account of the organization."),
    amount: fields.amount,
    currency: fields.currency,
    ...common,
  })
  .meta({ id: "CreateTransfer", description: "Money moved to another account of the organization." });

const adjustment = z
  .strictObject({
    type: z.literal("adjustment"),
    direction: z.enum(directions),
    reason: z.enum(adjustmentReasons),
    amount: fields.amount,
    currency: fields.currency,
    ...common,
  })
  .meta({ id: "CreateAdjustment", description: "A correction of the account's balance. Admins and API keys only." });

/** The body of POST /v1/transactions. Each type accepts only its own fields. */
export const newTransaction = z
  .discriminatedUnion("type", [payment, credit, refund, transfer, adjustment])
  .meta({ id: "CreateTransaction" });

export type NewTransaction = z.output<typeof newTransaction>;

/** The card or other means of a payment. */
export const paymentMethodOut = z
  .strictObject({
    type: z.string(),
    brand: z.string().nullable(),
    last4: z.string().nullable(),
    exp_month: z.int().nullable(),
    exp_year: z.int().nullable(),
  })
  .meta({ id: "PaymentMethod" });

/** A transaction in every response. */
export const transaction = z
  .strictObject({
    transaction_id: fields.idOut("txn", "The transaction."),
    account_id: fields.idOut("acct", "The account that owns the transaction; for a transfer, its source."),
    type: z.enum(transactionTypes),
    status: z.enum(transactionStatuses),
    direction: z
      .enum(directions)
      .meta({ description: "`in` raises the balance. A transfer is `in` for callers who see only its destination." }),
    amount: z.int(),
    currency: fields.currencyCode,
    fee_amount: fields.total,
    net_amount: z.int().meta({
      description:
        "By how much it has changed the account's available balance so far, so the net amounts of all transactions of an " +
        "account add up to it: what has moved, less the fee, less what an open dispute holds or a lost one took, and " +
        "less what became credit of the customer. Negative for `out`. 0 while nothing of a payment is captured, and for " +
        "a refund that failed. Refunds are transactions of their own, and so is what is paid out of credit.",
    }),
    amount_captured: fields.total,
    amount_refunded: fields.total,
    amount_disputed: fields.total.meta({
      description: "Of a payment: what an open dispute holds, or what the customer got back because it was lost.",
    }),
    amount_credited: fields.total.meta({
      description: "Of a payment: its surplus that became credit of the customer.",
    }),
    amount_credit_spent: fields.total.meta({
      description: "What has been spent of that credit. It cannot be refunded unless what was paid of it is refunded.",
    }),
    customer_id: fields
      .idOut("cus", "The customer: that of the payment request that it counts towards, if any.")
      .nullable(),
    payment_id: fields.idOut("pay", "The payment request that it counts towards.").nullable(),
    parent_transaction_id: fields.idOut("txn", "The payment that a refund returns.").nullable(),
    destination_account_id: fields.idOut("acct", "Where a transfer goes.").nullable(),
    payment_method: paymentMethodOut.nullable(),
    provider: z.string().nullable().meta({ description: "Null if no provider took or returned the money." }),
    provider_reference: z.string().nullable(),
    failure: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
    reason: z.string().nullable(),
    reference: z.string().nullable(),
    description: z.string().nullable(),
    customer: fields.customerOut.nullable(),
    metadata: z.record(z.string(), z.string()),
    effective_at: fields.timestamp.meta({
      description:
        "When the money moved: as it was recorded, or when the provider took or returned it. The time of creation while " +
        "no money has moved.",
    }),
    livemode: z.boolean(),
    created_at: fields.timestamp,
    updated_at: fields.timestamp,
    settled_at: fields.timestamp.nullable(),
  })
  .meta({ id: "Transaction" });

export type Transaction = z.output<typeof transaction>;

const filterAmount = z.int().min(0).max(limits.amount).meta({
  description: "Minor units, of any currency unless `currency` is given: 1250 matches both 12.50 euros and 1,250 yen.",
  example: 1250,
});

/** The filters of lists and exports. */
export const transactionFilters = z.strictObject({
  account_id: fields.id("acct", "Only this account's transactions, and transfers into it.").optional(),
  status: fields.anyOf(transactionStatuses).optional(),
  type: fields.anyOf(transactionTypes).optional(),
  created_from: fields.instantOrDay.optional().meta({ description: "Inclusive; a bare date is midnight UTC." }),
  created_to: fields.instantOrDay.optional().meta({ description: "Exclusive; a bare date is midnight UTC." }),
  settled_from: fields.instantOrDay.optional().meta({
    description:
      "Only what settled from then on, inclusive; a bare date is midnight UTC. `settled_at` is when money was captured, " +
      "recorded or returned, or when the attempt ended without any; what has not settled does not match.",
  }),
  settled_to: fields.instantOrDay.optional().meta({
    description: "Only what settled before then, exclusive; a bare date is midnight UTC.",
  }),
  metadata: fields.metadata.optional().meta({ description: "`metadata[key]=value`; every entry must be equal." }),
  customer_metadata: fields.metadata
    .optional()
    .meta({ description: "`customer_metadata[key]=value`; every entry must be equal." }),
  customer_email: z
    .string()
    .max(limits.email)
    .optional()
    .meta({ description: "Case-insensitive.", example: "grace@example.com" }),
  customer_reference: fields.searchedReference.optional().meta({ example: "C-9" }),
  customer_id: fields
    .id("cus", "Only transactions of this customer, or of the one that it was merged into.")
    .optional(),
  card_last4: z
    .string()
    .regex(/^\d{4}$/, "must be four digits")
    .optional()
    .meta({ description: "Only transactions with a card whose number ends in these four digits.", example: "4242" }),
  customer_credit: z.boolean().optional().meta({
    description: "Whether it was made of a customer's credit: `false` finds only what moved money.",
    example: false,
  }),
  disputed: z.boolean().optional().meta({
    description: "Whether an open dispute holds a part of it, or a lost one took it (`amount_disputed` above 0).",
    example: true,
  }),
  unanswered: z
    .boolean()
    .optional()
    .meta({
      description:
        "Whether the provider has owed an answer for more than five minutes, so that it is unknown whether money moved: " +
        "about a charge, a refund, a capture, or a confirmation after its end. It is asked again until it answers.",
      example: true,
    }),
  payment_id: fields.id("pay", "Only what counts towards this payment request, and its refunds.").optional(),
  parent_transaction_id: fields.id("txn", "Only refunds of this payment.").optional(),
  currency: fields.currency.optional(),
  amount_min: filterAmount.optional(),
  amount_max: filterAmount.optional(),
  reference: fields.searchedReference.optional().meta({ example: "till-2-0815" }),
  q: fields.searchText.optional().meta({
    description:
      "Prefixes of words in the reference, the description, the customer's name and e-mail address, and the card's " +
      "brand and last four digits, without regard to case and accents; or a full transaction or payment id.",
  }),
});

export type TransactionFilters = z.output<typeof transactionFilters>;

/** The query of GET /v1/transactions. */
export const transactionQuery = z.strictObject({ ...transactionFilters.shape, ...fields.listParameters });
