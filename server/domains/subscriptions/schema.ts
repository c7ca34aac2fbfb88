// The wire form of subscriptions.
import * as z from "zod";
import { pauseReasons, subscriptionEnds, subscriptionIntervals, subscriptionStatuses } from "@/db/schema/values";
import { lineItemOut } from "@/server/domains/payments/schema";
import { paymentMethodOut } from "@/server/domains/transactions/schema";
import * as fields from "@/server/kit/fields";
import { metadataFilter } from "@/server/kit/metadata-filter";

export const subscriptionId = fields.id("sub", "The subscription.");

const nullableTime = (description: string) => fields.timestamp.nullable().meta({ description });

export const subscription = z
  .strictObject({
    subscription_id: fields.idOut("sub", "The subscription."),
    account_id: fields.idOut("acct", "The account that is paid."),
    customer_id: fields.idOut("cus", "Who pays.").nullable(),
    status: z.enum(subscriptionStatuses).meta({
      description:
        "`incomplete` until the first payment succeeds or, with a trial, the card is stored. `past_due` while a renewal is " +
        "not paid: no new period begins meanwhile. `ended` came about by itself, see `end_reason`.",
    }),
    amount: fields.total.meta({ description: "Minor units of the cycles whose payment request does not exist yet." }),
    currency: fields.currencyCode,
    interval: z.enum(subscriptionIntervals),
    interval_count: z.int().meta({ example: 1 }),
    cycles: z.int().nullable().meta({ description: "How many cycles there are in all; null without end." }),
    cycles_done: z.int().meta({ description: "How many were paid.", example: 3 }),
    trial_ends_at: nullableTime("Null without a trial."),
    current_period_start: nullableTime("Null while incomplete."),
    current_period_end: nullableTime("Null while incomplete."),
    next_charge_at: nullableTime("When a new period is charged, or a failed renewal again; null if nothing follows."),
    cancel_at_period_end: z.boolean(),
    resume_at: nullableTime("When the pause ends by itself."),
    pause_reason: z
      .enum(pauseReasons)
      .nullable()
      .meta({
        description:
          "Why it waits until a call resumes it, if no call paused it: the bank took a payment back after a dispute, or the " +
          "database was restored from a backup, so that the next charge may have been made.",
      }),
    canceled_at: fields.timestamp.nullable(),
    ended_at: fields.timestamp.nullable(),
    end_reason: z.enum(subscriptionEnds).nullable(),
    payment_method: paymentMethodOut.nullable().meta({ description: "The stored card; null if none is stored." }),
    first_payment_id: fields.idOut("pay", "The payment request that began it."),
    latest_payment_id: fields.idOut("pay", "That of the newest period."),
    description: z.string().nullable().meta({
      description: "Of the cycles whose payment request does not exist yet, like `line_items` and `metadata`.",
    }),
    line_items: z.array(lineItemOut).meta({ description: "What `amount` is made of; empty if nothing says so." }),
    metadata: z.record(z.string(), z.string()),
    livemode: z.boolean(),
    created_at: fields.timestamp,
    updated_at: fields.timestamp,
  })
  .meta({ id: "SubscriptionRecord", description: "A customer's card, charged again for each period." });

export type SubscriptionRecord = z.input<typeof subscription>;

const subscriptionFilters = z.strictObject({
  account_id: fields.id("acct", "Only subscriptions of this account.").optional(),
  customer_id: fields.id("cus", "Only subscriptions of this customer.").optional(),
  status: fields.anyOf(subscriptionStatuses).optional(),
  pause_reason: fields
    .anyOf(pauseReasons)
    .optional()
    .meta({ description: "Why it waits, although no call paused it.", example: ["dispute_lost"] }),
  missed: z
    .boolean()
    .optional()
    .meta({
      description:
        "Whether a period passed before its card could be charged, because the server did not run, and its payment request " +
        "is neither paid nor canceled.",
      example: true,
    }),
  metadata: metadataFilter,
  q: fields.searchText.optional().meta({
    description:
      "Prefixes of words of the payment request that began it, such as its description, and of its customer's name, e-mail " +
      "address and other details, without regard to case and accents; or a full id.",
  }),
});

export type SubscriptionFilters = z.output<typeof subscriptionFilters>;

export const listInput = subscriptionFilters.extend(fields.listParameters);

/** The period of one cycle, for the dashboard. */
export const cycle = z.strictObject({
  cycle: z.int(),
  payment_id: z.string(),
  amount: z.int(),
  period_start: z.string(),
  period_end: z.string(),
  /** Whether the period had passed before it was charged, so that the customer was only asked to pay. */
  is_missed: z.boolean(),
  paid_at: z.string().nullable(),
});
