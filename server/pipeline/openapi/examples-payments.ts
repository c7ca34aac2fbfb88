// Examples of payment requests.
import { lineOf } from "@/server/domains/payments/export-columns";
import { newPayment, payment, unpaid } from "./example-payment";
import { customer, refund } from "./examples-transactions";
import { at, ids, type OperationExamples, pageOf } from "./story";

export const paymentExamples: Readonly<Record<string, OperationExamples>> = {
  "payments.create": {
    requests: {
      product: { ...newPayment, account_id: ids.account, amount: 1250 },
      subscription: {
        type: "subscription",
        amount: 2900,
        currency: "EUR",
        description: "Bread for a month",
        subscription: { interval: "month", interval_count: 1, trial_days: 14, cycles: 12 },
      },
      invoice: {
        type: "invoice",
        amount: 48_000,
        currency: "EUR",
        description: "Catering",
        reference: "2026-0017",
        customer,
        due_at: "2026-12-20T23:59:59.000Z",
      },
      installments: {
        type: "product",
        amount: 90_000,
        currency: "EUR",
        description: "Oven",
        installments: [
          { amount: 30_000, due_at: "2026-12-01" },
          { amount: 30_000, due_at: "2027-01-01" },
          { amount: 30_000, due_at: "2027-02-01" },
        ],
      },
      parts: {
        type: "product",
        amount: 48_000,
        currency: "EUR",
        description: "Wedding cake",
        allow_partial: true,
        minimum_amount: 10_000,
      },
      reusable: {
        type: "product",
        currency: "EUR",
        description: "Baking course",
        usage_limit: 10,
        line_items: [{ name: "Seat", quantity: 1, unit_amount: 4900, adjustable_quantity: { minimum: 1, maximum: 4 } }],
      },
      donation: {
        type: "product",
        currency: "EUR",
        description: "For a new oven",
        usage_limit: null,
        custom_amount: { minimum: 500, maximum: 50_000, suggested: 2000 },
      },
      draft: { type: "invoice", amount: 48_000, currency: "EUR", draft: true },
      exempt: {
        type: "invoice",
        currency: "EUR",
        line_items: [
          {
            ...{ name: "German lessons", quantity: 12, unit: "HUR", unit_amount: 4000, tax_rate_bp: 0 },
            ...{ tax_category: "E", tax_exemption_reason: "Art. 132 of Directive 2006/112/EC" },
          },
        ],
      },
    },
    response: unpaid,
  },
  "payments.update": {
    requests: {
      description: { description: "Two coffees and a cake", metadata: { order: "A-1043", table: null } },
      dates: { expires_at: "2027-01-20T14:05:00.000Z" },
      customer: { customer: { name: "Grace Hopper", email: "grace@example.com" } },
    },
    response: { ...unpaid, description: "Two coffees and a cake", updated_at: at.refund },
  },
  "payments.finalize": { response: unpaid },
  "payments.duplicate": {
    response: { ...unpaid, status: "draft", reference: null, expires_at: null, payment_url: null },
  },
  "payments.get": {
    response: {
      ...payment,
      installments: [
        { amount: 625, due_at: "2026-12-01T22:59:59.999Z", amount_paid: 625, status: "paid" },
        { amount: 625, due_at: "2027-01-01T22:59:59.999Z", amount_paid: 625, status: "paid" },
      ],
      reminders: [
        {
          offset_days: -3,
          planned_at: "2026-12-17T14:05:00.000Z",
          ...{ waiting_until: null, sent_at: null, mail_id: null },
          skipped_reason: "payment_already_paid",
        },
      ],
    },
  },
  "payments.list": { response: pageOf(payment) },
  "payments.export": {
    response: {
      "text/csv": `payment_id,status,amount,currency\r\n${ids.payment},paid,1250,EUR\r\n`,
      "application/x-ndjson": `${JSON.stringify(lineOf(payment))}\n`,
    },
  },
  "payments.status": {
    response: {
      payment_id: ids.payment,
      status: "paid",
      amount: 1250,
      currency: "EUR",
      amount_paid: 1250,
      amount_due: 0,
      amount_authorized: 0,
      amount_capturable: 0,
      amount_refunded: 0,
      dispute_status: "none",
      last_error: null,
      next_action: null,
      transaction_ids: [ids.transaction],
      expires_at: payment.expires_at,
      updated_at: at.payment,
    },
  },
  "payments.cancel": {
    requests: { withoutReason: {}, withReason: { reason: "Ordered twice" } },
    response: {
      ...{ ...unpaid, status: "canceled", amount_due: 0, canceled_at: at.refund, updated_at: at.refund },
      cancellation_reason: "Ordered twice",
    },
  },
  "payments.reopen": {
    requests: { all: {}, part: { amount: 500 } },
    response: {
      ...{ ...payment, status: "pending", amount_due: 1250, amount_disputed: 1250, dispute_status: "lost" },
      ...{ amount_reopened: 1250, paid_at: null },
    },
  },
  "payments.writeOff": {
    requests: { withoutReason: {}, withReason: { reason: "The customer is insolvent" } },
    response: {
      ...{ ...payment, status: "refunded", amount_disputed: 1250, dispute_status: "lost", amount_written_off: 1250 },
      write_off_reason: "The customer is insolvent",
    },
  },
  "payments.extend": {
    requests: { extend: { expires_at: "2027-01-20T14:05:00.000Z" } },
    response: { ...unpaid, expires_at: "2027-01-20T14:05:00.000Z", updated_at: at.refund },
  },
  "payments.markPaid": {
    requests: {
      all: { method: "cash", reason: "Paid at the counter" },
      part: {
        method: "bank_transfer",
        reason: "Deposit",
        amount: 500,
        received_at: "2026-11-20T14:05:00.000Z",
        reference: "TRF-7712",
      },
      surplus: { method: "bank_transfer", reason: "Rounded up", amount: 1_300, overpayment: "credit" },
    },
    response: payment,
  },
  "payments.applyCredit": {
    requests: { all: {}, part: { amount: 500 } },
    response: payment,
  },
  "payments.capture": {
    requests: { all: {}, part: { amount: 1000 } },
    response: { ...payment, capture_method: "manual" },
  },
  "payments.refund": {
    requests: {
      all: {},
      part: { amount: 250, reason: "requested_by_customer", transaction_id: ids.transaction, metadata: { case: "77" } },
    },
    response: refund,
  },
};
