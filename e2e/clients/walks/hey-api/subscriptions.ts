// Subscriptions, by the client of @hey-api/openapi-ts. The first payment is recorded, so no card is stored.
import {
  paymentsCreate,
  paymentsMarkPaid,
  subscriptionsCancel,
  subscriptionsCardLink,
  subscriptionsGet,
  subscriptionsList,
  subscriptionsPause,
  subscriptionsResume,
  subscriptionsUpdate,
} from "../../generated/hey-api";
import type { Client } from "../../generated/hey-api/client";
import { absent, answered, equal, newEmail, nextOf, refused, replayed, type Start, unique } from "../walk";
import { newMember } from "./people";

export async function walkSubscriptions(start: Start): Promise<void> {
  const { client, accountId } = await newMember(start);
  const { customer_id, subscription_id } = await subscribed(client);
  await subscribed(client);
  const path = { subscription_id };
  const unknown = { subscription_id: absent("sub") };
  equal(answered(await subscriptionsGet({ client, path })).status, "active");
  refused(await subscriptionsGet({ client, path: unknown }), 400, "subscription_not_found");

  const shown = { account_id: accountId, limit: 1, include_total: true, total_max: 10 };
  const query = { ...shown, status: ["active" as const] };
  const first = answered(await subscriptionsList({ client, query }));
  const second = answered(await subscriptionsList({ client, query: { ...query, cursor: nextOf(first) } }));
  equal([first.total_count, first.data.length, second.data.length, second.has_more], [2, 1, 1, false]);
  const own = answered(await subscriptionsList({ client, query: { customer_id } }));
  equal(own.data[0]?.subscription_id, subscription_id);
  refused(await subscriptionsList({ client, query: { account_id: absent("acct") } }), 400, "account_not_found");

  const keyed = () => ({ "Idempotency-Key": unique("subscriptions") });
  const changing = { client, path, body: { amount: 1500, metadata: { plan: "large" } }, headers: keyed() };
  equal(answered(await subscriptionsUpdate(changing)).amount, 1500);
  replayed((await subscriptionsUpdate(changing)).response);
  const body = { amount: 1500 };
  refused(await subscriptionsUpdate({ client, path: unknown, body }), 400, "subscription_not_found");
  const asking = { client, path, body: { send: false }, headers: keyed() };
  const { url } = answered(await subscriptionsCardLink(asking));
  equal(url?.includes("/card/qtsm_"), true);
  const repeated = await subscriptionsCardLink(asking);
  equal(answered(repeated).url, url);
  replayed(repeated.response);
  refused(await subscriptionsCardLink({ client, path: unknown }), 400, "subscription_not_found");
  await steer(client, subscription_id, keyed());
}

/** Pauses, resumes and cancels, each once. */
async function steer(client: Client, subscription_id: string, headers: { "Idempotency-Key": string }): Promise<void> {
  const plain = { client, path: { subscription_id } };
  const resume_at = new Date(Date.now() + 86_400_000).toISOString();
  equal(answered(await subscriptionsPause({ ...plain, body: { resume_at } })).resume_at, resume_at);
  refused(await subscriptionsPause(plain), 400, "invalid_subscription_state");
  equal(answered(await subscriptionsResume({ ...plain, headers })).status, "active");
  replayed((await subscriptionsResume({ ...plain, headers })).response);
  refused(await subscriptionsResume(plain), 400, "invalid_subscription_state");
  equal(answered(await subscriptionsCancel({ ...plain, body: { at: "period_end" } })).cancel_at_period_end, true);
  equal(answered(await subscriptionsCancel({ ...plain, body: { at: "now" } })).status, "canceled");
  refused(await subscriptionsCancel({ ...plain, body: { at: "now" } }), 400, "invalid_subscription_state");
}

/** A subscription whose first payment was made in cash. */
async function subscribed(client: Client): Promise<{ customer_id: string; subscription_id: string }> {
  const terms = { interval: "month" as const, interval_count: 1 };
  const body = { type: "subscription" as const, amount: 1250, currency: "EUR", subscription: terms };
  const asked = answered(await paymentsCreate({ client, body: { ...body, customer: { email: newEmail() } } }));
  const path = { payment_id: asked.payment_id };
  const cash = { method: "cash" as const, reason: "Paid at the counter" };
  const paid = answered(await paymentsMarkPaid({ client, path, body: cash }));
  return { customer_id: paid.customer?.customer_id ?? "", subscription_id: paid.subscription_id ?? "" };
}
