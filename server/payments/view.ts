// What a pay page shows: the request behind a link as its payer may see it. Reads only, so that opening a link does nothing.
import * as z from "zod";
import { rules } from "@/server/access/rules";
import { isoOrNull } from "@/server/kit/clock";
import { operation } from "@/server/kit/operation";
import { amountDue, statusAt } from "./derive";
import { issueFormToken } from "./form-token";
import { linkHashOf } from "./link";
import { cardProvider } from "./providers/registry";
import { isAvailable, isPayable, netOf, type PaymentStatus, taxOf } from "./rules";
import { findByLink, type LinkedPayment } from "./store";

/** The states that a pay page tells apart. */
export const payPageStates = [
  "open",
  "processing",
  "paid",
  "failed",
  "authorized",
  "refunded",
  "partially_refunded",
  "expired",
  "canceled",
  "unavailable",
] as const;

export type PayPageState = (typeof payPageStates)[number];

const line = z.strictObject({ name: z.string(), quantity: z.int(), unit_amount: z.int(), net_amount: z.int() });

const payPage = z.strictObject({
  state: z.enum(payPageStates),
  account_name: z.string(),
  brand_color: z.string().nullable(),
  livemode: z.boolean(),
  type: z.enum(["product", "subscription", "invoice"]),
  description: z.string().nullable(),
  reference: z.string().nullable(),
  lines: z.array(line),
  tax_amount: z.int(),
  subscription: z
    .strictObject({ interval: z.enum(["day", "week", "month", "year"]), interval_count: z.int() })
    .nullable(),
  amount: z.int(),
  amount_due: z.int(),
  amount_paid: z.int(),
  amount_refunded: z.int(),
  currency: z.string(),
  capture_method: z.enum(["automatic", "manual"]),
  due_at: z.string().nullable(),
  expires_at: z.string().nullable(),
  paid_at: z.string().nullable(),
  success_url: z.string().nullable(),
  last_error_code: z.string().nullable(),
  /** Of an open page: what its form must send back. */
  form_token: z.string().nullable(),
  locales: z.array(z.string().nullable()).meta({ description: "The request's own, then the account's." }),
  timezone: z.string().nullable(),
});

export type PayPage = z.output<typeof payPage>;

export const viewPayment = operation({
  id: "payments.view",
  summary: "Open a pay link",
  access: rules["pay.link"],
  effect: "read",
  input: z.strictObject({ token: z.string().max(128) }),
  output: payPage,
  errors: { payment_not_found: 404 },
  async run({ ctx, input, fail }) {
    // A malformed token takes the same way as an unknown one, so that neither can be told from the other.
    const hash = linkHashOf(input.token) ?? "malformed";
    const linked = (await findByLink(ctx.db, hash)) ?? fail("payment_not_found");
    const state = stateOf(linked, ctx.now);
    const formToken = state === "open" ? issueFormToken(ctx.runtime.keys, linked.payment.id, ctx.now) : null;
    return presentPage(linked, state, formToken);
  },
});

/** What the payer is told, which is less than the merchant. */
export function stateOf({ payment, account }: LinkedPayment, now: number): PayPageState {
  const status = statusAt(payment, now);
  const isOpen = isAvailable(account) && cardProvider(payment.livemode) !== null;
  const states: Record<PaymentStatus, PayPageState> = {
    draft: "unavailable",
    pending: "unavailable",
    partially_paid: "unavailable",
    requires_action: "processing",
    processing: "processing",
    authorized: "authorized",
    paid: "paid",
    disputed: "paid",
    partially_refunded: "partially_refunded",
    refunded: "refunded",
    failed: isAvailable(account) ? "failed" : "unavailable",
    canceled: isAvailable(account) ? "canceled" : "unavailable",
    expired: isAvailable(account) ? "expired" : "unavailable",
  };
  return isOpen && isPayable(status, amountDue(payment)) ? "open" : states[status];
}

function presentPage({ payment, account }: LinkedPayment, state: PayPageState, formToken: string | null): PayPage {
  const { lineItems, subscription } = payment;
  return {
    state,
    account_name: account.name,
    brand_color: account.preferences.branding.color,
    livemode: payment.livemode,
    type: payment.type,
    description: payment.description,
    reference: payment.reference,
    lines: lineItems.map((item) => ({
      name: item.name,
      quantity: item.quantity,
      unit_amount: item.unit_amount,
      net_amount: Number(netOf(item)),
    })),
    tax_amount: Number(lineItems.reduce((sum, item) => sum + taxOf(item), 0n)),
    subscription: subscription && { interval: subscription.interval, interval_count: subscription.interval_count },
    amount: payment.amount,
    amount_due: amountDue(payment),
    amount_paid: payment.amountPaid,
    amount_refunded: payment.amountRefunded,
    currency: payment.currency,
    capture_method: payment.captureMethod,
    due_at: isoOrNull(payment.dueAt),
    expires_at: isoOrNull(payment.expiresAt),
    paid_at: isoOrNull(payment.paidAt),
    success_url: payment.successUrl,
    last_error_code: state === "open" || state === "failed" ? (payment.lastError?.code ?? null) : null,
    form_token: formToken,
    locales: [payment.locale, account.preferences.locale],
    timezone: account.preferences.timezone,
  };
}
