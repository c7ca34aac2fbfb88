// The caller, postings and what becomes of lost or late money, by openapi-fetch.
import { payByForm } from "../../../payer";
import { absent, answered, equal, nextOf, refused, type Start } from "../walk";
import { type Client, clientOf, newMember, type Person } from "./people";

const money = { amount: 1000, currency: "EUR" };

export async function walkLedger(start: Start, admin: Client): Promise<void> {
  refused(await clientOf(start).GET("/v1/me"), 401, "unauthorized");
  const member = await newMember(start);
  const me = answered(await member.client.GET("/v1/me"));
  equal([me.id, me.account_ids], [member.userId, [member.accountId]]);
  await entries(member);
  await lose(member.client, admin);
  const late = { params: { path: { payment_id: start.latePayment } } };
  equal(answered(await admin.POST("/v1/payments/{payment_id}/accept_late", late)).paid_late_at, null);
  refused(await admin.POST("/v1/payments/{payment_id}/accept_late", late), 400, "nothing_late");
}

async function entries({ client, accountId }: Person): Promise<void> {
  for (const type of ["payment", "payment"] as const)
    answered(await client.POST("/v1/transactions", { body: { ...money, type } }));
  const filters = {
    account_id: accountId,
    kind: ["available" as const],
    currency: "eur",
    booked_from: "2020-01-01",
    booked_to: "2099-01-01T00:00:00+01:00",
  };
  const query = { ...filters, limit: 1, include_total: true, total_max: 10 };
  const first = answered(await client.GET("/v1/ledger/entries", { params: { query } }));
  equal([first.total_count, first.data[0]?.balance_after], [2, 1000]);
  const rest = { ...query, cursor: nextOf(first) };
  const second = answered(await client.GET("/v1/ledger/entries", { params: { query: rest } }));
  equal([second.has_more, second.data[0]?.balance_after], [false, 2000]);
  const unknown = { params: { query: { account_id: absent("acct") } } };
  refused(await client.GET("/v1/ledger/entries", unknown), 400, "account_not_found");
  const columns = ["currency" as const, "signed_amount" as const];
  const file = { params: { query: { ...filters, columns, format: "csv" as const } }, parseAs: "text" as const };
  equal(
    answered(await client.GET("/v1/ledger/entries/export", file)),
    "currency,signed_amount\r\nEUR,1000\r\nEUR,1000\r\n",
  );
  refused(await client.GET("/v1/ledger/entries/export", unknown), 400, "account_not_found");
}

/** A payment that its payer takes back for good: a part of it is due again, the rest is written off. */
async function lose(member: Client, admin: Client): Promise<void> {
  const body = { ...money, type: "product" as const };
  const { payment_id, payment_url } = answered(await member.POST("/v1/payments", { body }));
  const params = { path: { payment_id } };
  refused(await member.POST("/v1/payments/{payment_id}/reopen", { params }), 400, "nothing_lost");
  if (payment_url === null) throw new Error("The payment request has no page.");
  await payByForm(payment_url);
  for (const event of ["dispute", "dispute_lost"] as const)
    answered(await admin.POST("/v1/sandbox/payments/{payment_id}/simulate", { params, body: { event } }));
  const part = { params, body: { amount: 400 } };
  equal(answered(await member.POST("/v1/payments/{payment_id}/reopen", part)).amount_due, 400);
  const rest = { params, body: { reason: "The payer has moved" } };
  const written = answered(await member.POST("/v1/payments/{payment_id}/write_off", rest));
  equal([written.amount_written_off, written.amount_lost], [600, 0]);
  refused(await member.POST("/v1/payments/{payment_id}/write_off", { params }), 400, "nothing_lost");
}
