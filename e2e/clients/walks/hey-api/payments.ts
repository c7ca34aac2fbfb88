// Payment requests, by the client of @hey-api/openapi-ts.
import { payByForm } from "../../../payer";
import {
  customersCreate,
  paymentsAllowCards,
  paymentsApplyCredit,
  paymentsCancel,
  paymentsCapture,
  paymentsCreate,
  paymentsDuplicate,
  paymentsExport,
  paymentsExtend,
  paymentsFinalize,
  paymentsGet,
  paymentsList,
  paymentsMarkPaid,
  paymentsRefund,
  paymentsStatus,
  paymentsUpdate,
  transactionsCreate,
  transactionsList,
} from "../../generated/hey-api";
import type { Client } from "../../generated/hey-api/client";
import { absent, answered, equal, nextOf, refused, replayed, type Start, tagOf, unique } from "../walk";
import { newMember, type Person } from "./people";

const product = { type: "product" as const, amount: 1250, currency: "EUR" };

export async function walkPayments(start: Start): Promise<void> {
  const member = await newMember(start);
  await create(member);
  await list(member);
  await capture(member.client);
  await markPaid(member.client);
  await credit(member.client);
  await refund(member.client);
  await drafts(member.client);
}

async function create({ client, accountId }: Person): Promise<void> {
  const headers = { "Idempotency-Key": unique("create") };
  const body = { ...product, account_id: accountId, reference: unique("order"), description: "Two coffees" };
  const first = answered(await paymentsCreate({ client, headers, body }));
  const again = await paymentsCreate({ client, headers, body });
  replayed(again.response);
  equal(answered(again).payment_url, first.payment_url);
  refused(await paymentsCreate({ client, headers, body: product }), 400, "idempotency_key_reused");
  refused(await paymentsCreate({ client, body }), 400, "duplicate_reference");

  const line_items = [{ name: "Coffee", quantity: 2, unit_amount: 625, tax_rate_bp: 1000 }];
  const invoice = { ...product, type: "invoice" as const, amount: 1375, due_at: "2099-12-31T00:00:00Z", line_items };
  const asked = answered(await paymentsCreate({ client, body: invoice }));
  equal([asked.line_items[0]?.discount_amount, asked.expires_at], [null, null]);
  refused(await paymentsCreate({ client, body: { ...invoice, amount: 1 } }), 400, "amount_mismatch");
  const subscription = { interval: "month" as const, interval_count: 1, cycles: 12 };
  const monthly = { ...product, type: "subscription" as const, subscription };
  equal(answered(await paymentsCreate({ client, body: monthly })).subscription?.trial_days, null);
}

async function list({ client, accountId }: Person): Promise<void> {
  const customer = { name: "Ada Lovelace", email: "ada@example.com" };
  const reference = unique("list");
  const { payment_id } = answered(await paymentsCreate({ client, body: { ...product, customer, reference } }));
  const page = { limit: 1, include_total: true, total_max: 100 };
  const query = {
    account_id: accountId,
    status: ["pending" as const, "paid" as const],
    type: ["product" as const],
    ...page,
    currency: "eur",
    created_from: "2020-01-01",
    created_to: "2099-12-31T23:59:59+01:00",
  };
  const one = { ...query, reference, customer_email: customer.email, q: "lovelace" };
  const found = answered(await paymentsList({ client, query: one }));
  equal([found.total_count, found.data[0]?.payment_id, found.next_cursor], [1, payment_id, null]);
  const first = answered(await paymentsList({ client, query }));
  equal(answered(await paymentsList({ client, query: { ...query, cursor: nextOf(first) } })).data.length, 1);
  const columns = ["payment_id" as const, "amount_decimal" as const];
  const { limit: _limit, include_total: _total, total_max: _max, ...filters } = query;
  const file = { ...filters, reference, format: "csv" as const, columns, expected_count: 1 };
  equal(
    answered(await paymentsExport({ client, query: file })),
    `payment_id,amount_decimal\r\n${payment_id},12.50\r\n`,
  );
  const changed = await paymentsExport({ client, query: { ...file, expected_count: 2 } });
  refused(changed, 400, "selection_changed");
  refused(await paymentsList({ client, query: { account_id: absent("acct") } }), 400, "account_not_found");
}

/** Authorizes a payment on its page, captures a part of it, and lets a second one be canceled. */
async function capture(client: Client): Promise<void> {
  const body = { ...product, capture_method: "manual" as const };
  const { payment_id, payment_url } = answered(await paymentsCreate({ client, body }));
  const path = { payment_id };
  const before = await paymentsStatus({ client, path });
  refused(await paymentsCapture({ client, path }), 400, "payment_not_capturable");
  const headers = { "If-None-Match": tagOf(before.response) };
  equal((await paymentsStatus({ client, path, headers, query: { wait: 1 } })).response.status, 304);
  if (payment_url === null) throw new Error("The payment request has no page.");
  await payByForm(payment_url);
  const held = answered(await paymentsStatus({ client, path, headers, query: { wait: 30 } }));
  equal([held.status, held.amount_capturable, held.next_action], ["authorized", 1250, null]);
  const captured = answered(await paymentsCapture({ client, path, body: { amount: 1000 } }));
  equal([captured.status, captured.amount_paid, captured.amount_released], ["paid", 1000, 250]);
  refused(await paymentsCancel({ client, path }), 400, "payment_not_cancelable");

  const other = answered(await paymentsCreate({ client, body: product }));
  await extend(client, other.payment_id);
  const allowed = answered(await paymentsAllowCards({ client, path: { payment_id: other.payment_id } }));
  equal(allowed.status, "pending");
  equal(answered(await paymentsCancel({ client, path: { payment_id: other.payment_id } })).status, "canceled");
  refused(await paymentsStatus({ client, path: { payment_id: absent("pay") } }), 400, "payment_not_found");
}

/** Moves the expiry by a month, and not back. */
async function extend(client: Client, payment_id: string): Promise<void> {
  const body = { expires_at: new Date(Date.now() + 60 * 86_400_000).toISOString() };
  const path = { payment_id };
  equal(answered(await paymentsExtend({ client, path, body })).expires_at, body.expires_at);
  refused(await paymentsExtend({ client, path, body }), 400, "invalid_request");
}

/** Marks a payment request as paid in full, once. */
async function markPaid(client: Client): Promise<void> {
  const { payment_id } = answered(await paymentsCreate({ client, body: product }));
  const received_at = new Date(Date.now() - 86_400_000).toISOString();
  const body = {
    method: "cash" as const,
    reason: "Paid at the counter",
    amount: 1250,
    received_at,
    reference: unique("till"),
  };
  const path = { payment_id };
  equal(answered(await paymentsMarkPaid({ client, path, body })).status, "paid");
  refused(await paymentsMarkPaid({ client, path, body }), 400, "payment_already_paid");
}

/** Makes credit of a surplus, and pays a part of another payment request out of it. */
async function credit(client: Client): Promise<void> {
  const { customer_id } = answered(await customersCreate({ client, body: { name: "Grace Hopper" } }));
  const body = { ...product, customer: { customer_id } };
  const [first, second] = [
    answered(await paymentsCreate({ client, body })),
    answered(await paymentsCreate({ client, body })),
  ];
  const twice = { method: "cash" as const, reason: "Paid twice", amount: 2500, overpayment: "credit" as const };
  const surplus = await paymentsMarkPaid({ client, path: { payment_id: first.payment_id }, body: twice });
  equal(answered(surplus).amount_credited, 1250);
  const path = { payment_id: second.payment_id };
  equal(answered(await paymentsApplyCredit({ client, path, body: { amount: 50 } })).amount_due, 1200);
  equal(answered(await paymentsApplyCredit({ client, path })).status, "paid");
  refused(await paymentsApplyCredit({ client, path }), 400, "payment_already_paid");
  const found = answered(await transactionsList({ client, query: { customer_id, customer_credit: true } }));
  equal(
    found.data.map((row) => [row.amount, row.payment_method?.type]),
    [
      [1200, "customer_credit"],
      [50, "customer_credit"],
    ],
  );
}

async function refund(client: Client): Promise<void> {
  const { payment_id, currency } = answered(await paymentsCreate({ client, body: product }));
  const path = { payment_id };
  const body = { type: "payment" as const, payment_id, amount: 1250, currency };
  const { transaction_id } = answered(await transactionsCreate({ client, body }));
  const part = { amount: 250, reason: "service_issue" as const, transaction_id, metadata: { case: "77" } };
  const refunded = answered(await paymentsRefund({ client, path, body: part }));
  equal([refunded.type, refunded.net_amount, refunded.metadata], ["refund", -250, { case: "77" }]);
  answered(await paymentsRefund({ client, path }));
  refused(await paymentsRefund({ client, path }), 400, "refund_exceeds_captured");
  const payment = answered(await paymentsGet({ client, path }));
  equal([payment.status, payment.amount_refunded, payment.transaction_ids.length], ["refunded", 1250, 3]);
  refused(await paymentsGet({ client, path: { payment_id: absent("pay") } }), 400, "payment_not_found");
}

/** Changes a draft with its version, finalizes it once, and copies it. */
async function drafts(client: Client): Promise<void> {
  const made = answered(await paymentsCreate({ client, body: { ...product, draft: true } }));
  equal(made.payment_url, null);
  const path = { payment_id: made.payment_id };
  const headers = { "If-Match": tagOf((await paymentsGet({ client, path })).response) };
  const body = { amount: 700, description: null, metadata: { table: "4" } };
  equal(answered(await paymentsUpdate({ client, path, headers, body })).amount, 700);
  refused(await paymentsUpdate({ client, path, headers, body }), 400, "version_conflict");
  equal(answered(await paymentsFinalize({ client, path })).status, "pending");
  refused(await paymentsFinalize({ client, path }), 400, "not_a_draft");
  const copy = answered(await paymentsDuplicate({ client, path }));
  equal([copy.status, copy.amount, copy.expires_at], ["draft", 700, null]);
  refused(await paymentsDuplicate({ client, path: { payment_id: absent("pay") } }), 400, "payment_not_found");
}
