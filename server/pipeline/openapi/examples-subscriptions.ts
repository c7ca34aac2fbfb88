// Examples of subscriptions.
import { at, ids, type OperationExamples, pageOf } from "./story";

const subscription = {
  subscription_id: ids.subscription,
  account_id: ids.account,
  customer_id: ids.customer,
  status: "active",
  ...{ amount: 1250, currency: "EUR", interval: "month", interval_count: 1, cycles: 12, cycles_done: 1 },
  trial_ends_at: null,
  current_period_start: at.payment,
  current_period_end: "2026-12-20T14:07:30.000Z",
  next_charge_at: "2026-12-20T14:07:30.000Z",
  cancel_at_period_end: false,
  ...{ resume_at: null, pause_reason: null, canceled_at: null, ended_at: null, end_reason: null },
  payment_method: { type: "card", brand: "visa", last4: "4242", exp_month: 12, exp_year: 2030 },
  first_payment_id: ids.payment,
  latest_payment_id: ids.payment,
  ...{ description: "Coffee every month", line_items: [] },
  metadata: { order: "A-1042" },
  livemode: false,
  created_at: at.payment,
  updated_at: at.payment,
};

export const subscriptionExamples: Readonly<Record<string, OperationExamples>> = {
  "subscriptions.get": { response: subscription },
  "subscriptions.list": { response: pageOf(subscription) },
  "subscriptions.update": { requests: { price: { amount: 1500 } }, response: { ...subscription, amount: 1500 } },
  "subscriptions.cancel": {
    requests: { later: { at: "period_end" }, now: { at: "now" } },
    response: { ...subscription, cancel_at_period_end: true, updated_at: at.refund },
  },
  "subscriptions.pause": {
    requests: { untilSpring: { resume_at: "2027-03-20T14:00:00.000Z" } },
    response: {
      ...{ ...subscription, status: "paused", next_charge_at: null, resume_at: "2027-03-20T14:00:00.000Z" },
      updated_at: at.refund,
    },
  },
  "subscriptions.resume": { response: subscription },
  "subscriptions.cardLink": {
    requests: { toHandOver: { send: false } },
    response: {
      subscription_id: ids.subscription,
      url: "https://pay.example.com/card/qtsm_4fKdV8bXqR2mZ7tJwY3nLcHsU9pGaE1oBxQ6iD5kTrN0eS1a2",
      ...{ expires_at: "2026-12-01T14:07:30.000Z", mail_id: null },
    },
  },
};
