// Examples of transactions.
import { at, ids, type OperationExamples, pageOf } from "./story";

export const customer = {
  name: "Grace Hopper",
  email: "grace@example.com",
  reference: "C-9",
  metadata: { tier: "gold" },
};

const payment = {
  transaction_id: ids.transaction,
  account_id: ids.account,
  type: "payment",
  status: "succeeded",
  direction: "in",
  amount: 1250,
  currency: "EUR",
  fee_amount: 0,
  net_amount: 1250,
  amount_captured: 1250,
  amount_refunded: 0,
  amount_disputed: 0,
  amount_credited: 0,
  amount_credit_spent: 0,
  customer_id: ids.customer,
  payment_id: ids.payment,
  parent_transaction_id: null,
  destination_account_id: null,
  payment_method: { type: "card", brand: "visa", last4: "4242", exp_month: 12, exp_year: 2034 },
  provider: "sandbox",
  provider_reference: "sbx_7f3a9c",
  failure: null,
  reason: null,
  reference: null,
  description: "Two coffees",
  customer,
  metadata: { order: "A-1042" },
  effective_at: at.payment,
  livemode: false,
  created_at: at.payment,
  updated_at: at.payment,
  settled_at: at.payment,
};

export const refund = {
  ...payment,
  transaction_id: ids.refund,
  type: "refund",
  direction: "out",
  amount: 250,
  net_amount: -250,
  amount_captured: 0,
  parent_transaction_id: ids.transaction,
  reason: "requested_by_customer",
  description: null,
  metadata: { case: "77" },
  effective_at: at.refund,
  created_at: at.refund,
  updated_at: at.refund,
  settled_at: at.refund,
};

const refunded = { ...payment, status: "partially_refunded", amount_refunded: 250, updated_at: at.refund };

const money = { account_id: ids.account, amount: 1250, currency: "EUR" };

const csv = [
  "transaction_id,type,status,amount,currency,created_at",
  `${ids.transaction},payment,succeeded,1250,EUR,${at.payment}`,
  "",
].join("\r\n");

export const transactionExamples: Readonly<Record<string, OperationExamples>> = {
  "transactions.create": {
    requests: {
      payment: {
        ...money,
        type: "payment",
        payment_id: ids.payment,
        reference: "till-2-0815",
        description: "Two coffees, in cash",
        customer,
        metadata: { order: "A-1042" },
        effective_at: at.payment,
      },
      credit: { ...money, type: "credit", description: "For the long wait" },
      refund: {
        type: "refund",
        parent_transaction_id: ids.transaction,
        amount: 250,
        currency: "EUR",
        reason: "requested_by_customer",
      },
      transfer: { ...money, type: "transfer", destination_account_id: ids.otherAccount },
      adjustment: { ...money, type: "adjustment", direction: "out", reason: "correction" },
    },
    response: payment,
  },
  "transactions.get": { response: payment },
  "transactions.list": { response: pageOf(refund, refunded) },
  "transactions.export": {
    response: { "text/csv": csv, "application/x-ndjson": `${JSON.stringify(payment)}\n` },
  },
};
