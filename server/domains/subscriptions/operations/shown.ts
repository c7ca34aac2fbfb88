// What the dashboard shows beside subscriptions: titles, the state of their payment requests, and the way back from one.
import * as z from "zod";
import { paymentStatuses } from "@/db/schema/values";
import { rules } from "@/server/access/rules";
import { statusAt } from "@/server/domains/payments/derive";
import { findPayment } from "@/server/domains/payments/store";
import { id } from "@/server/kit/fields";
import { limits } from "@/server/kit/limits";
import { operation } from "@/server/kit/operation";
import { shownSubscription } from "../present";
import { subscription, subscriptionId } from "../schema";
import { requestsOf, titlesOf } from "../shown-store";
import { cycleOf, findSubscription, readSubscription } from "../store";

export const subscriptionTitles = operation({
  id: "subscriptions.titles",
  summary: "What subscriptions are for, and who pays",
  description: "Those of the given ids that the caller sees.",
  access: rules["subscriptions.read"],
  time: "organization",
  effect: "read",
  input: z.strictObject({ subscription_ids: z.array(subscriptionId).max(limits.selection) }),
  output: z.strictObject({
    data: z.array(
      z.strictObject({
        subscription_id: z.string(),
        description: z.string().nullable(),
        customer_name: z.string().nullable(),
        customer_email: z.string().nullable(),
      }),
    ),
  }),
  errors: {},
  async run({ ctx, input }) {
    const rows = await titlesOf(ctx.db, ctx.scope, input.subscription_ids);
    return {
      data: rows.map(({ id: subscription_id, description, customerName, customerEmail }) => ({
        ...{ subscription_id, description, customer_name: customerName, customer_email: customerEmail },
      })),
    };
  },
});

export const subscriptionRequests = operation({
  id: "subscriptions.requests",
  summary: "The state of the payment requests of a subscription's newest cycles",
  access: rules["subscriptions.read"],
  time: "organization",
  effect: "read",
  input: z.strictObject({ subscription_id: subscriptionId }),
  output: z.strictObject({
    /** Whether the bank said that the stored card must not be tried again. */
    is_card_refused: z.boolean(),
    /** Minor units of the latest cycle that was paid; before that, the first amount. */
    charged_amount: z.int(),
    data: z.array(
      z.strictObject({
        payment_id: z.string(),
        status: z.enum(paymentStatuses),
        failure: z.strictObject({ code: z.string(), message: z.string() }).nullable().meta({
          description: "Why its last attempt failed.",
        }),
      }),
    ),
  }),
  errors: { subscription_not_found: 400, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    const row = await findSubscription(ctx.db, ctx.scope, input.subscription_id);
    if (!row) return fail("subscription_not_found");
    const payments = await requestsOf(ctx.db, row.id, limits.shownCycles);
    return {
      is_card_refused: row.isMethodRefused,
      charged_amount: row.chargedAmount,
      data: payments.map((payment) => ({
        payment_id: payment.id,
        status: statusAt(payment, ctx.now),
        failure: payment.lastError,
      })),
    };
  },
});

export const subscriptionOfPayment = operation({
  id: "subscriptions.ofPayment",
  summary: "The subscription of a payment request",
  description: "The one that it began or is a cycle of; null if there is none.",
  access: rules["subscriptions.read"],
  time: "organization",
  effect: "read",
  input: z.strictObject({ payment_id: id("pay", "The payment request.") }),
  output: z.strictObject({
    subscription: subscription.nullable(),
    cycle: z.int().nullable().meta({ description: "Which cycle it is; null of none, as of one that began a trial." }),
  }),
  errors: { payment_not_found: 400, insufficient_permissions: 400 },
  async run({ ctx, input, fail }) {
    const payment = await findPayment(ctx.db, ctx.scope, input.payment_id);
    if (!payment) return fail("payment_not_found");
    const row = payment.subscriptionId === null ? undefined : await readSubscription(ctx.db, payment.subscriptionId);
    const cycle = row && (await cycleOf(ctx.db, payment.id));
    return { subscription: row ? await shownSubscription(ctx.db, row) : null, cycle: cycle?.cycle ?? null };
  },
});
