// The wire form of ledger entries: filters and record.
import * as z from "zod";
import { entryKinds } from "@/db/schema/values";
import * as fields from "@/server/kit/fields";

/** An entry in every response. */
export const entry = z
  .strictObject({
    posting_id: z.string().meta({ description: "Unique, and the same forever." }),
    number: z.int().meta({
      description: "Counts the postings of one account (or customer), kind and currency from 1, without gaps.",
    }),
    account_id: fields.idOut("acct", "The account whose money it is."),
    kind: z.enum(entryKinds).meta({
      description:
        "`available`: what the account may spend. `held`: by an open dispute. `refund_pending`: of refunds that are not " +
        "paid out yet. `pending`: authorized and not captured, so not money yet. `customer_credit`: owed to a customer.",
    }),
    currency: fields.currencyCode,
    signed_amount: z.int().meta({ description: "Minor units by which the balance of this kind grew, or shrank." }),
    balance_after: z.int().meta({
      description: "The balance after it: of the account, kind and currency; for `customer_credit`, of one customer.",
    }),
    booked_at: fields.timestamp.meta({
      description: "When it was booked, in the organization's time. Never earlier than an entry with a smaller number.",
    }),
    value_at: fields.timestamp.meta({ description: "When the money moved: as recorded, or as the provider says." }),
    event: z.string().meta({ description: "What happened, such as `payment_captured` or `refund_failed`." }),
    source_id: z.string().meta({ description: "What the entry tells about: a transaction." }),
    transaction_id: fields.idOut("txn", "The transaction whose money moved.").nullable(),
    payment_id: fields.idOut("pay", "The payment request that it counts towards.").nullable(),
    invoice_number: z.string().nullable(),
  })
  .meta({ id: "LedgerEntry" });

export type LedgerEntry = z.output<typeof entry>;

/** The filters of the list and the export. */
export const entryFilters = z.strictObject({
  account_id: fields.id("acct", "Only entries of this account.").optional(),
  kind: fields.anyOf(entryKinds).optional(),
  currency: fields.currency.optional(),
  booked_from: fields.instantOrDay.optional().meta({ description: "Inclusive; a bare date is midnight UTC." }),
  booked_to: fields.instantOrDay.optional().meta({ description: "Exclusive; a bare date is midnight UTC." }),
  transaction_id: fields.id("txn", "Only entries of this transaction.").optional(),
  payment_id: fields.id("pay", "Only entries of what counts towards this payment request.").optional(),
});

export type EntryFilters = z.output<typeof entryFilters>;
