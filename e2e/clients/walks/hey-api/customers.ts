// Customers of an account, by the client of @hey-api/openapi-ts.
import {
  customersCreate,
  customersErase,
  customersGet,
  customersList,
  customersMerge,
  customersUpdate,
  paymentsCreate,
  paymentsList,
} from "../../generated/hey-api";
import { absent, answered, equal, newEmail, nextOf, refused, replayed, type Start, unique } from "../walk";
import { newMember } from "./people";

export async function walkCustomers(start: Start): Promise<void> {
  const { client, accountId } = await newMember(start);
  const [email, reference] = [newEmail(), unique("customer")];
  const body = { name: "Grace Hopper", email, reference, address: { city: "Vienna", country: "at" } };
  const headers = { "Idempotency-Key": unique("customers") };
  const { customer_id } = answered(await customersCreate({ client, body, headers }));
  replayed((await customersCreate({ client, body, headers })).response);
  refused(await customersCreate({ client, body }), 400, "duplicate_reference");
  await customersCreate({ client, body: { name: "Grace", email } });
  const path = { customer_id };
  equal(answered(await customersGet({ client, path })).address?.country, "AT");
  refused(await customersGet({ client, path: { customer_id: absent("cus") } }), 400, "customer_not_found");
  const key = { "Idempotency-Key": unique("customers") };
  const change = { phone: "+43 1 5550100" };
  equal(answered(await customersUpdate({ client, path, body: change, headers: key })).phone, change.phone);
  replayed((await customersUpdate({ client, path, body: change, headers: key })).response);
  refused(await customersUpdate({ client, path: { customer_id: absent("cus") } }), 400, "customer_not_found");

  const query = { account_id: accountId, email, q: "grace", limit: 1, include_total: true, total_max: 10 };
  const first = answered(await customersList({ client, query }));
  const second = answered(await customersList({ client, query: { ...query, cursor: nextOf(first) } }));
  equal([first.total_count, first.data.length, second.data.length, second.has_more], [2, 1, 1, false]);
  equal(answered(await customersList({ client, query: { reference } })).data.length, 1);
  refused(await customersList({ client, query: { account_id: absent("acct") } }), 400, "account_not_found");

  const request = { type: "product" as const, amount: 500, currency: "EUR", customer: { customer_id } };
  equal(answered(await paymentsCreate({ client, body: request })).customer?.email, email);
  equal(answered(await paymentsList({ client, query: { customer_id } })).data.length, 1);

  const into = answered(await customersCreate({ client, body: { name: "Rear Admiral Hopper" } })).customer_id;
  const merging = { client, path, body: { into_customer_id: into } };
  const merged = { "Idempotency-Key": unique("customers") };
  equal(answered(await customersMerge({ ...merging, headers: merged })).merged_into, into);
  replayed((await customersMerge({ ...merging, headers: merged })).response);
  refused(await customersMerge(merging), 400, "customer_not_mergeable");
  equal(answered(await paymentsList({ client, query: { customer_id: into } })).data.length, 1);

  const erasing = { client, path: { customer_id: into }, headers: { "Idempotency-Key": unique("customers") } };
  equal(answered(await customersErase(erasing)).kept, []);
  replayed((await customersErase(erasing)).response);
  refused(await customersErase({ client, path }), 400, "customer_not_found");
  equal(answered(await paymentsList({ client, query: { customer_id: into } })).data[0]?.customer?.email, null);
}
