// Payment requests, by openapi-fetch.
import { payByForm } from "../../../payer";
import { absent, answered, equal, nextOf, refused, replayed, type Start, tagOf, unique } from "../walk";
import { type Client, newMember, type Person } from "./people";

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
  const key = { params: { header: { "Idempotency-Key": unique("create") } } };
  const body = { ...product, account_id: accountId, reference: unique("order"), description: "Two coffees" };
  const first = answered(await client.POST("/v1/payments", { ...key, body }));
  const again = await client.POST("/v1/payments", { ...key, body });
  replayed(again.response);
  equal(answered(again).payment_url, first.payment_url);
  refused(await client.POST("/v1/payments", { ...key, body: product }), 400, "idempotency_key_reused");
  refused(await client.POST("/v1/payments", { body }), 400, "duplicate_reference");

  const line_items = [{ name: "Coffee", quantity: 2, unit_amount: 625, tax_rate_bp: 1000 }];
  const invoice = { ...product, type: "invoice" as const, amount: 1375, due_at: "2099-12-31T00:00:00Z", line_items };
  const asked = answered(await client.POST("/v1/payments", { body: invoice }));
  equal([asked.line_items[0]?.discount_amount, asked.expires_at], [null, null]);
  refused(await client.POST("/v1/payments", { body: { ...invoice, amount: 1 } }), 400, "amount_mismatch");
  const subscription = { interval: "month" as const, interval_count: 1, cycles: 12 };
  const monthly = { ...product, type: "subscription" as const, subscription };
  equal(answered(await client.POST("/v1/payments", { body: monthly })).subscription?.trial_days, null);
}

async function list({ client, accountId }: Person): Promise<void> {
  const customer = { name: "Ada Lovelace", email: "ada@example.com" };
  const reference = unique("list");
  const { payment_id } = answered(await client.POST("/v1/payments", { body: { ...product, customer, reference } }));
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
  const found = answered(await client.GET("/v1/payments", { params: { query: one } }));
  equal([found.total_count, found.data[0]?.payment_id, found.next_cursor], [1, payment_id, null]);
  const first = answered(await client.GET("/v1/payments", { params: { query } }));
  const second = await client.GET("/v1/payments", { params: { query: { ...query, cursor: nextOf(first) } } });
  equal(answered(second).data.length, 1);
  const columns = ["payment_id" as const, "amount_decimal" as const];
  const { limit: _limit, include_total: _total, total_max: _max, ...filters } = query;
  const file = { ...filters, reference, format: "csv" as const, columns, expected_count: 1 };
  const csv = await client.GET("/v1/payments/export", { params: { query: file }, parseAs: "text" });
  equal(answered(csv), `payment_id,amount_decimal\r\n${payment_id},12.50\r\n`);
  const changed = { params: { query: { ...file, expected_count: 2 } }, parseAs: "text" as const };
  refused(await client.GET("/v1/payments/export", changed), 400, "selection_changed");
  const elsewhere = { account_id: absent("acct") };
  refused(await client.GET("/v1/payments", { params: { query: elsewhere } }), 400, "account_not_found");
}

/** Authorizes a payment on its page, captures a part of it, and lets a second one be canceled. */
async function capture(client: Client): Promise<void> {
  const body = { ...product, capture_method: "manual" as const };
  const { payment_id, payment_url } = answered(await client.POST("/v1/payments", { body }));
  const params = { path: { payment_id } };
  const before = await client.GET("/v1/payments/{payment_id}/status", { params });
  refused(await client.POST("/v1/payments/{payment_id}/capture", { params }), 400, "payment_not_capturable");
  const header = { "If-None-Match": tagOf(before.response) };
  const unchanged = { ...params, header, query: { wait: 1 } };
  equal((await client.GET("/v1/payments/{payment_id}/status", { params: unchanged })).response.status, 304);
  if (payment_url === null) throw new Error("The payment request has no page.");
  await payByForm(payment_url);
  const waiting = { ...params, header, query: { wait: 30 } };
  const held = answered(await client.GET("/v1/payments/{payment_id}/status", { params: waiting }));
  equal([held.status, held.amount_capturable, held.next_action], ["authorized", 1250, null]);
  const part = { params, body: { amount: 1000 } };
  const captured = answered(await client.POST("/v1/payments/{payment_id}/capture", part));
  equal([captured.status, captured.amount_paid, captured.amount_released], ["paid", 1000, 250]);
  refused(await client.POST("/v1/payments/{payment_id}/cancel", { params }), 400, "payment_not_cancelable");

  const other = answered(await client.POST("/v1/payments", { body: product }));
  await extend(client, other.payment_id);
  const path = { payment_id: other.payment_id };
  const allowed = answered(await client.POST("/v1/payments/{payment_id}/allow_cards", { params: { path } }));
  equal(allowed.status, "pending");
  const canceled = answered(await client.POST("/v1/payments/{payment_id}/cancel", { params: { path } }));
  equal(canceled.status, "canceled");
  const unknown = { path: { payment_id: absent("pay") } };
  refused(await client.GET("/v1/payments/{payment_id}/status", { params: unknown }), 400, "payment_not_found");
}

/** Moves the expiry by a month, and not back. */
async function extend(client: Client, payment_id: string): Promise<void> {
  const body = { expires_at: new Date(Date.now() + 60 * 86_400_000).toISOString() };
  const call = { params: { path: { payment_id } }, body };
  equal(answered(await client.POST("/v1/payments/{payment_id}/extend", call)).expires_at, body.expires_at);
  refused(await client.POST("/v1/payments/{payment_id}/extend", call), 400, "invalid_request");
}

/** Marks a payment request as paid in full, once. */
async function markPaid(client: Client): Promise<void> {
  const { payment_id } = answered(await client.POST("/v1/payments", { body: product }));
  const received_at = new Date(Date.now() - 86_400_000).toISOString();
  const body = {
    method: "cash" as const,
    reason: "Paid at the counter",
    amount: 1250,
    received_at,
    reference: unique("till"),
  };
  const call = { params: { path: { payment_id } }, body };
  equal(answered(await client.POST("/v1/payments/{payment_id}/mark_paid", call)).status, "paid");
  refused(await client.POST("/v1/payments/{payment_id}/mark_paid", call), 400, "payment_already_paid");
}

/** Makes credit of a surplus, and pays a part of another payment request out of it. */
async function credit(client: Client): Promise<void> {
  const { customer_id } = answered(await client.POST("/v1/customers", { body: { name: "Grace Hopper" } }));
  const body = { ...product, customer: { customer_id } };
  const first = answered(await client.POST("/v1/payments", { body }));
  const { payment_id } = answered(await client.POST("/v1/payments", { body }));
  const twice = { method: "cash" as const, reason: "Paid twice", amount: 2500, overpayment: "credit" as const };
  const mark = { params: { path: { payment_id: first.payment_id } }, body: twice };
  equal(answered(await client.POST("/v1/payments/{payment_id}/mark_paid", mark)).amount_credited, 1250);
  const params = { path: { payment_id } };
  const part = { params, body: { amount: 50 } };
  equal(answered(await client.POST("/v1/payments/{payment_id}/apply_credit", part)).amount_due, 1200);
  equal(answered(await client.POST("/v1/payments/{payment_id}/apply_credit", { params })).status, "paid");
  refused(await client.POST("/v1/payments/{payment_id}/apply_credit", { params }), 400, "payment_already_paid");
  const query = { customer_id, customer_credit: true };
  const found = answered(await client.GET("/v1/transactions", { params: { query } }));
  equal(
    found.data.map((row) => [row.amount, row.payment_method?.type]),
    [
      [1200, "customer_credit"],
      [50, "customer_credit"],
    ],
  );
}

async function refund(client: Client): Promise<void> {
  const { payment_id, currency } = answered(await client.POST("/v1/payments", { body: product }));
  const params = { path: { payment_id } };
  const body = { type: "payment" as const, payment_id, amount: 1250, currency };
  const { transaction_id } = answered(await client.POST("/v1/transactions", { body }));
  const part = { amount: 250, reason: "service_issue" as const, transaction_id, metadata: { case: "77" } };
  const refunded = answered(await client.POST("/v1/payments/{payment_id}/refund", { params, body: part }));
  equal([refunded.type, refunded.net_amount, refunded.metadata], ["refund", -250, { case: "77" }]);
  answered(await client.POST("/v1/payments/{payment_id}/refund", { params }));
  refused(await client.POST("/v1/payments/{payment_id}/refund", { params }), 400, "refund_exceeds_captured");
  const payment = answered(await client.GET("/v1/payments/{payment_id}", { params }));
  equal([payment.status, payment.amount_refunded, payment.transaction_ids.length], ["refunded", 1250, 3]);
  const unknown = { path: { payment_id: absent("pay") } };
  refused(await client.GET("/v1/payments/{payment_id}", { params: unknown }), 400, "payment_not_found");
}

/** Changes a draft with its version, finalizes it once, and copies it. */
async function drafts(client: Client): Promise<void> {
  const { payment_id, payment_url } = answered(
    await client.POST("/v1/payments", { body: { ...product, draft: true } }),
  );
  equal(payment_url, null);
  const path = { payment_id };
  const header = { "If-Match": tagOf((await client.GET("/v1/payments/{payment_id}", { params: { path } })).response) };
  const change = { params: { path, header }, body: { amount: 700, description: null, metadata: { table: "4" } } };
  equal(answered(await client.PATCH("/v1/payments/{payment_id}", change)).amount, 700);
  refused(await client.PATCH("/v1/payments/{payment_id}", change), 400, "version_conflict");
  equal(answered(await client.POST("/v1/payments/{payment_id}/finalize", { params: { path } })).status, "pending");
  refused(await client.POST("/v1/payments/{payment_id}/finalize", { params: { path } }), 400, "not_a_draft");
  const copy = answered(await client.POST("/v1/payments/{payment_id}/duplicate", { params: { path } }));
  equal([copy.status, copy.amount, copy.expires_at], ["draft", 700, null]);
  const unknown = { path: { payment_id: absent("pay") } };
  refused(await client.POST("/v1/payments/{payment_id}/duplicate", { params: unknown }), 400, "payment_not_found");
}
