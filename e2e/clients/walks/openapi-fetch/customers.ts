// Customers of an account, by openapi-fetch.
import { absent, answered, equal, newEmail, nextOf, refused, replayed, type Start, unique } from "../walk";
import { newMember } from "./people";

export async function walkCustomers(start: Start): Promise<void> {
  const { client, accountId } = await newMember(start);
  const [email, reference] = [newEmail(), unique("customer")];
  const body = { name: "Grace Hopper", email, reference, address: { city: "Vienna", country: "at" } };
  const header = { "Idempotency-Key": unique("customers") };
  const { customer_id } = answered(await client.POST("/v1/customers", { params: { header }, body }));
  replayed((await client.POST("/v1/customers", { params: { header }, body })).response);
  refused(await client.POST("/v1/customers", { body }), 400, "duplicate_reference");
  await client.POST("/v1/customers", { body: { name: "Grace", email } });
  const params = { path: { customer_id } };
  const unknown = { path: { customer_id: absent("cus") } };
  equal(answered(await client.GET("/v1/customers/{customer_id}", { params })).address?.country, "AT");
  refused(await client.GET("/v1/customers/{customer_id}", { params: unknown }), 400, "customer_not_found");
  const keyed = { ...params, header: { "Idempotency-Key": unique("customers") } };
  const change = { phone: "+43 1 5550100" };
  const changed = await client.PATCH("/v1/customers/{customer_id}", { params: keyed, body: change });
  equal(answered(changed).phone, change.phone);
  replayed((await client.PATCH("/v1/customers/{customer_id}", { params: keyed, body: change })).response);
  refused(await client.PATCH("/v1/customers/{customer_id}", { params: unknown }), 400, "customer_not_found");

  const query = { account_id: accountId, email, q: "grace", limit: 1, include_total: true, total_max: 10 };
  const list = (wanted: object) => client.GET("/v1/customers", { params: { query: wanted } });
  const first = answered(await list(query));
  const second = answered(await list({ ...query, cursor: nextOf(first) }));
  equal([first.total_count, first.data.length, second.data.length, second.has_more], [2, 1, 1, false]);
  equal(answered(await list({ reference })).data.length, 1);
  refused(await list({ account_id: absent("acct") }), 400, "account_not_found");

  const request = { type: "product" as const, amount: 500, currency: "EUR", customer: { customer_id } };
  equal(answered(await client.POST("/v1/payments", { body: request })).customer?.email, email);
  equal(answered(await client.GET("/v1/payments", { params: { query: { customer_id } } })).data.length, 1);

  const into = answered(await client.POST("/v1/customers", { body: { name: "Rear Admiral Hopper" } })).customer_id;
  const merged = { ...params, header: { "Idempotency-Key": unique("customers") } };
  const merge = (given: typeof params | typeof merged) =>
    client.POST("/v1/customers/{customer_id}/merge", { params: given, body: { into_customer_id: into } });
  equal(answered(await merge(merged)).merged_into, into);
  replayed((await merge(merged)).response);
  refused(await merge(params), 400, "customer_not_mergeable");
  equal(answered(await client.GET("/v1/payments", { params: { query: { customer_id: into } } })).data.length, 1);

  const erasing = { path: { customer_id: into }, header: { "Idempotency-Key": unique("customers") } };
  const erase = () => client.DELETE("/v1/customers/{customer_id}", { params: erasing });
  equal(answered(await erase()).kept, []);
  replayed((await erase()).response);
  refused(await client.DELETE("/v1/customers/{customer_id}", { params }), 400, "customer_not_found");
  const left = await client.GET("/v1/payments", { params: { query: { customer_id: into } } });
  equal(answered(left).data[0]?.customer?.email, null);
}
