// Transactions, by openapi-fetch.
import type { components } from "../../generated/openapi-fetch";
import { absent, answered, equal, nextOf, refused, type Start, unique } from "../walk";
import { type Client, newMember, type Person } from "./people";

const money = { amount: 1000, currency: "EUR" };

export async function walkTransactions(start: Start, admin: Client): Promise<void> {
  const member = await newMember(start);
  await createEach(member, admin, (await newMember(start)).accountId);
  const transactionId = await record(member);
  await list(member, transactionId);
  await download(member, transactionId);
}

/** One transaction of each type; the type decides which fields the body has. */
async function createEach({ client, accountId }: Person, admin: Client, destination: string): Promise<void> {
  const create = (by: Client, body: components["schemas"]["CreateTransaction"]) =>
    by.POST("/v1/transactions", { body });
  const account_id = accountId;
  const paid = answered(await create(client, { ...money, type: "payment", effective_at: "2026-01-31T23:30:00-01:00" }));
  equal([paid.type, paid.direction, paid.effective_at], ["payment", "in", "2026-02-01T00:30:00.000Z"]);
  const credit = answered(await create(admin, { ...money, type: "credit", account_id, description: "Welcome" }));
  equal([credit.net_amount, credit.description], [1000, "Welcome"]);
  const parent_transaction_id = paid.transaction_id;
  const refund = await create(client, { type: "refund", parent_transaction_id, amount: 400, reason: "duplicate" });
  equal([answered(refund).reason, answered(refund).parent_transaction_id], ["duplicate", parent_transaction_id]);
  const transfer = { ...money, type: "transfer" as const, destination_account_id: destination };
  equal(answered(await create(client, transfer)).destination_account_id, destination);
  refused(await create(client, { ...transfer, amount: 5000 }), 400, "insufficient_balance");
  const adjustment = { ...money, amount: 100, type: "adjustment" as const, account_id };
  const adjusted = await create(admin, { ...adjustment, direction: "out", reason: "correction" });
  equal(answered(adjusted).net_amount, -100);
  const own = await create(client, { ...adjustment, direction: "in", reason: "other" });
  refused(own, 400, "insufficient_permissions");
}

async function record({ client }: Person): Promise<string> {
  const { payment_id } = answered(await client.POST("/v1/payments", { body: { ...money, type: "product" } }));
  const reference = unique("till");
  const customer = { name: "Ada Lovelace", email: "ada@example.com", reference: "C-9", metadata: { tier: "gold" } };
  const body = { ...money, type: "payment" as const, payment_id, reference, customer, metadata: { order: "A-1042" } };
  const { transaction_id } = answered(await client.POST("/v1/transactions", { body }));
  const read = await retrieve(client, transaction_id);
  equal([read.reference, read.customer?.metadata, read.metadata], [reference, customer.metadata, body.metadata]);
  const unknown = { path: { transaction_id: absent("txn") } };
  refused(await client.GET("/v1/transactions/{transaction_id}", { params: unknown }), 400, "transaction_not_found");
  return transaction_id;
}

const retrieve = async (client: Client, transaction_id: string) =>
  answered(await client.GET("/v1/transactions/{transaction_id}", { params: { path: { transaction_id } } }));

/** Every filter of the lists, such that only the recorded payment matches. */
async function filtersOf({ client, accountId }: Person, transactionId: string) {
  const { reference, payment_id } = await retrieve(client, transactionId);
  if (reference === null || payment_id === null) throw new Error("The payment lacks what it was recorded with.");
  return {
    account_id: accountId,
    status: ["succeeded" as const, "partially_refunded" as const],
    type: ["payment" as const],
    created_from: "2020-01-01",
    created_to: "2099-01-01T00:00:00+01:00",
    settled_from: "2020-01-01",
    settled_to: "2099-01-01",
    currency: "eur",
    amount_min: 1000,
    amount_max: 1000,
    customer_email: "ADA@example.com",
    customer_reference: "C-9",
    metadata: { order: "A-1042" },
    customer_metadata: { tier: "gold" },
    q: "lovelace",
    reference,
    payment_id,
  };
}

async function list(person: Person, transactionId: string): Promise<void> {
  const { client } = person;
  const one = { ...(await filtersOf(person, transactionId)), limit: 1, include_total: true, total_max: 10 };
  const found = answered(await client.GET("/v1/transactions", { params: { query: one } }));
  equal([found.total_count, found.data[0]?.transaction_id], [1, transactionId]);
  const query = { type: ["payment" as const, "transfer" as const], limit: 1 };
  const cursor = nextOf(answered(await client.GET("/v1/transactions", { params: { query } })));
  answered(await client.GET("/v1/transactions", { params: { query: { ...query, cursor } } }));
  refused(await client.GET("/v1/transactions", { params: { query: { limit: 1, cursor } } }), 400, "invalid_cursor");
  const refunds = { parent_transaction_id: transactionId };
  equal(answered(await client.GET("/v1/transactions", { params: { query: refunds } })).data, []);
}

async function download(person: Person, transactionId: string): Promise<void> {
  const { client } = person;
  const one = { transaction_id: [transactionId, absent("txn")], expected_count: 1 };
  const columns = ["transaction_id" as const, "amount" as const];
  const query = { ...(await filtersOf(person, transactionId)), ...one, format: "csv" as const, columns };
  const csv = await client.GET("/v1/transactions/export", { params: { query }, parseAs: "text" });
  equal(answered(csv), `transaction_id,amount\r\n${transactionId},1000\r\n`);
  const lines = { ...one, format: "ndjson" as const };
  const ndjson = await client.GET("/v1/transactions/export", { params: { query: lines }, parseAs: "text" });
  equal(JSON.parse(answered(ndjson)), await retrieve(client, transactionId));
  const none = { parent_transaction_id: transactionId, format: "ndjson" as const, expected_count: 0 };
  const empty = await client.GET("/v1/transactions/export", { params: { query: none }, parseAs: "text" });
  // openapi-fetch returns no data for a file that a proxy sends with `Content-Length: 0`.
  equal(empty.response.status, 200);
  const more = { ...one, expected_count: 2 };
  const changed = await client.GET("/v1/transactions/export", { params: { query: more }, parseAs: "text" });
  refused(changed, 400, "selection_changed");
}
