// Subscriptions, by openapi-fetch. The first payment is recorded, so no card is stored.
import { absent, answered, equal, newEmail, nextOf, refused, replayed, type Start, unique } from "../walk";
import { type Client, newMember } from "./people";

export async function walkSubscriptions(start: Start): Promise<void> {
  const { client, accountId } = await newMember(start);
  const { customer_id, subscription_id } = await subscribed(client);
  await subscribed(client);
  const params = { path: { subscription_id } };
  const unknown = { path: { subscription_id: absent("sub") } };
  const read = () => client.GET("/v1/subscriptions/{subscription_id}", { params });
  equal(answered(await read()).status, "active");
  refused(await client.GET("/v1/subscriptions/{subscription_id}", { params: unknown }), 400, "subscription_not_found");

  const list = (query: object) => client.GET("/v1/subscriptions", { params: { query } });
  const query = { account_id: accountId, status: ["active" as const], limit: 1, include_total: true, total_max: 10 };
  const first = answered(await list(query));
  const second = answered(await list({ ...query, cursor: nextOf(first) }));
  equal([first.total_count, first.data.length, second.data.length, second.has_more], [2, 1, 1, false]);
  equal(answered(await list({ customer_id })).data[0]?.subscription_id, subscription_id);
  refused(await list({ account_id: absent("acct") }), 400, "account_not_found");

  const keyed = () => ({ ...params, header: { "Idempotency-Key": unique("subscriptions") } });
  const changing = { params: keyed(), body: { amount: 1500, metadata: { plan: "large" } } };
  equal(answered(await client.PATCH("/v1/subscriptions/{subscription_id}", changing)).amount, 1500);
  replayed((await client.PATCH("/v1/subscriptions/{subscription_id}", changing)).response);
  const other = { params: unknown, body: { amount: 1500 } };
  refused(await client.PATCH("/v1/subscriptions/{subscription_id}", other), 400, "subscription_not_found");
  const asking = { params: keyed(), body: { send: false } };
  const link = (given: { params: { path: { subscription_id: string } } }) =>
    client.POST("/v1/subscriptions/{subscription_id}/card_link", given);
  const { url } = answered(await link(asking));
  equal(url?.includes("/card/qtsm_"), true);
  const repeated = await link(asking);
  equal(answered(repeated).url, url);
  replayed(repeated.response);
  refused(await link({ params: unknown }), 400, "subscription_not_found");
  await steer(client, subscription_id, keyed());
}

/** Pauses, resumes and cancels, each once. */
async function steer(
  client: Client,
  subscription_id: string,
  params: { path: { subscription_id: string }; header: { "Idempotency-Key": string } },
): Promise<void> {
  const plain = { params: { path: { subscription_id } } };
  const resume_at = new Date(Date.now() + 86_400_000).toISOString();
  const paused = await client.POST("/v1/subscriptions/{subscription_id}/pause", { ...plain, body: { resume_at } });
  equal(answered(paused).resume_at, resume_at);
  refused(await client.POST("/v1/subscriptions/{subscription_id}/pause", plain), 400, "invalid_subscription_state");
  equal(answered(await client.POST("/v1/subscriptions/{subscription_id}/resume", { params })).status, "active");
  replayed((await client.POST("/v1/subscriptions/{subscription_id}/resume", { params })).response);
  refused(await client.POST("/v1/subscriptions/{subscription_id}/resume", plain), 400, "invalid_subscription_state");
  const cancel = (at: "now" | "period_end") =>
    client.POST("/v1/subscriptions/{subscription_id}/cancel", { ...plain, body: { at } });
  equal(answered(await cancel("period_end")).cancel_at_period_end, true);
  equal(answered(await cancel("now")).status, "canceled");
  refused(await cancel("now"), 400, "invalid_subscription_state");
}

/** A subscription whose first payment was made in cash. */
async function subscribed(client: Client): Promise<{ customer_id: string; subscription_id: string }> {
  const terms = { interval: "month" as const, interval_count: 1 };
  const body = { type: "subscription" as const, amount: 1250, currency: "EUR", subscription: terms };
  const asked = await client.POST("/v1/payments", { body: { ...body, customer: { email: newEmail() } } });
  const { payment_id } = answered(asked);
  const marking = {
    params: { path: { payment_id } },
    body: { method: "cash" as const, reason: "Paid at the counter" },
  };
  const paid = answered(await client.POST("/v1/payments/{payment_id}/mark_paid", marking));
  return { customer_id: paid.customer?.customer_id ?? "", subscription_id: paid.subscription_id ?? "" };
}
