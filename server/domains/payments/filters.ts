// The filters of the list of payment requests, as its query has them.
import * as z from "zod";
import { paymentStatuses, paymentTypes } from "@/db/schema/values";
import * as fields from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { metadataFilter } from "@/server/kit/metadata-filter";

/** The filters of the list. */
export const paymentFilters = z.strictObject({
  account_id: fields.id("acct", "Only payment requests of this account.").optional(),
  customer_id: fields.id("cus", "Only payment requests to this customer.").optional(),
  status: fields.anyOf(paymentStatuses).optional(),
  type: fields.anyOf(paymentTypes).optional(),
  currency: fields.currency.optional(),
  open: z
    .boolean()
    .optional()
    .meta({
      description:
        "Whether the amount, or the rest of it, still waits for the customer. An authorized payment request is not open; " +
        "one whose part payment was refunded is, as long as the rest can be paid.",
      example: true,
    }),
  recordable: z
    .boolean()
    .optional()
    .meta({
      description:
        "Whether money that was received otherwise can be recorded for it, by `mark_paid` or a transaction: something is " +
        "due, nothing of it is being paid or disputed, and it has not ended. An issued invoice takes money until it is " +
        "canceled, even after it has expired.",
      example: true,
    }),
  overdue: z.boolean().optional().meta({
    description: "Whether `due_at` has passed while the customer still has to pay, at least an installment.",
    example: true,
  }),
  reusable: z
    .boolean()
    .optional()
    .meta({
      description:
        "Whether it is a reusable link. Lists contain links and their uses; `false` leaves the links out, whose amounts " +
        "repeat those of their uses.",
      example: false,
    }),
  paused: z.boolean().optional().meta({
    description: "Whether it is a reusable link that the merchant has paused, and that could be used otherwise.",
    example: true,
  }),
  parent_payment_id: fields.id("pay", "Only uses of this reusable link.").optional(),
  subscription_id: fields.id("sub", "Only the one that began this subscription, and its renewals.").optional(),
  many_declines: z.boolean().optional().meta({
    description:
      "Whether it is a reusable link on which very many cards were declined, or left unconfirmed, in an hour of the last day.",
    example: true,
  }),
  over_limit: z
    .boolean()
    .optional()
    .meta({
      description:
        "Whether it is a use whose charge succeeded after its place had gone to somebody else, so that more uses of its " +
        "reusable link are paid than it has places, in the last 30 days, and that was not refunded in full.",
      example: true,
    }),
  requested: z
    .boolean()
    .optional()
    .meta({
      description:
        "Whether somebody was asked to pay it, whatever became of it: drafts and reusable links were requested of nobody, " +
        "nor was the use of a link that its payer began and is not paying.",
      example: true,
    }),
  disputed_lost: z.boolean().optional().meta({
    description:
      "Whether a lost dispute took something of it, and nobody has decided whether that is due again: `amount_lost`.",
    example: true,
  }),
  paid_late: z.boolean().optional().meta({
    description: "Whether money arrived after its end, and was neither refunded nor accepted: `paid_late_at`.",
    example: true,
  }),
  overpaid: z.boolean().optional().meta({
    description: "Whether more was paid than its amount, and neither refunded yet nor made credit: `amount_overpaid`.",
    example: true,
  }),
  credited: z.boolean().optional().meta({
    description: "Whether it is an invoice with a credit note that is not void.",
    example: true,
  }),
  link_requested: z.boolean().optional().meta({
    description:
      "Whether it has expired, and its customer asked for a new link in the last 30 days and since it was last duplicated.",
    example: true,
  }),
  reminder_waiting: z.boolean().optional().meta({
    description: "Whether a planned reminder has waited for more than a day for room within the limits on mails.",
    example: true,
  }),
  ends_before: fields.instantOrDay.optional().meta({
    description: "Only those that expire, or whose authorization lapses, before this if nothing happens.",
  }),
  reference: fields.searchedReference.optional().meta({ example: "order-1042" }),
  customer_email: z.string().max(limits.email).optional().meta({ example: "grace@example.com" }),
  metadata: metadataFilter,
  created_from: fields.instantOrDay.optional().meta({ description: "Inclusive; a bare date is midnight UTC." }),
  created_to: fields.instantOrDay.optional().meta({ description: "Exclusive; a bare date is midnight UTC." }),
  q: fields.searchText.optional().meta({
    description:
      "Prefixes of words in the reference, the invoice number, the description, and the customer's name and e-mail " +
      "address, without regard to case and accents; or an amount as lists show it, such as `12.50`, `12,50 EUR` or " +
      "`¥500`; or a full payment or transaction id.",
  }),
});

export type PaymentFilters = z.output<typeof paymentFilters>;

/** The query of GET /v1/payments. */
export const paymentQuery = paymentFilters.extend(fields.listParameters);
