// The payment request of the examples, before and after it was paid.
import { customer } from "./examples-transactions";
import { at, ids } from "./story";

const payLink = "https://pay.example.com/pay/p2Kx7mVq9TzR4sJwY5dLcHnU8bGfA1oE";

/** What a caller sends for it. */
export const newPayment = {
  type: "product",
  currency: "EUR",
  description: "Two coffees",
  reference: "order-1042",
  customer,
  line_items: [
    {
      ...{ name: "Coffee", quantity: 2, unit_amount: 625, tax_rate_bp: null, discount_amount: null },
      ...{ tax_category: null, tax_exemption_reason: null, unit: null },
      adjustable_quantity: null,
    },
  ],
  capture_method: "automatic",
  success_url: "https://shop.example.com/thanks?payment={payment_id}",
  cancel_url: "https://shop.example.com/cart",
  locale: "de",
  metadata: { order: "A-1042" },
};

/** A payment request that was paid. */
export const payment = {
  ...newPayment,
  customer: { ...customer, customer_id: ids.customer },
  payment_id: ids.payment,
  account_id: ids.account,
  status: "paid",
  amount: 1250,
  amount_paid: 1250,
  amount_due: 0,
  amount_authorized: 0,
  amount_capturable: 0,
  amount_refunded: 0,
  amount_released: 0,
  amount_disputed: 0,
  amount_overpaid: 0,
  amount_credited: 0,
  capture_before: null,
  subscription: null,
  subscription_id: null,
  allow_partial: false,
  minimum_amount: null,
  installments: null,
  usage_limit: 1,
  uses_count: 0,
  uses_reserved: 0,
  paused: false,
  custom_amount: null,
  parent_payment_id: null,
  payment_url: payLink,
  receipt_url: `${payLink}/receipt`,
  pdf_url: null,
  pdf_problem: null,
  invoice: null,
  invoice_number: null,
  credit_notes: [],
  last_error: null,
  livemode: false,
  transaction_ids: [ids.transaction],
  reminders: null,
  expires_at: "2026-12-20T14:05:00.000Z",
  due_at: null,
  created_at: at.request,
  updated_at: at.payment,
  paid_at: at.payment,
  ...{ dispute_status: "none", amount_lost: 0, amount_reopened: 0, amount_written_off: 0 },
  ...{ write_off_reason: null, paid_late_at: null },
  canceled_at: null,
  cancellation_reason: null,
  viewed_at: "2026-11-20T14:06:00.000Z",
};

/** The same before it was paid. */
export const unpaid = {
  ...payment,
  status: "pending",
  amount_paid: 0,
  amount_due: 1250,
  receipt_url: null,
  transaction_ids: [],
  updated_at: at.request,
  paid_at: null,
  viewed_at: null,
};
