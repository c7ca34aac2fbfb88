// The caller, postings and what becomes of lost or late money, by the client of @hey-api/openapi-ts.
import { payByForm } from "../../../payer";
import {
  ledgerEntries,
  ledgerExportEntries,
  meGet,
  paymentsAcceptLate,
  paymentsCreate,
  paymentsReopen,
  paymentsWriteOff,
  sandboxSimulate,
  transactionsCreate,
} from "../../generated/hey-api";
import type { Client } from "../../generated/hey-api/client";
import { absent, answered, equal, nextOf, refused, type Start } from "../walk";
import { clientOf, newMember, type Person } from "./people";

const money = { amount: 1000, currency: "EUR" };

export async function walkLedger(start: Start, admin: Client): Promise<void> {
  refused(await meGet({ client: clientOf(start) }), 401, "unauthorized");
  const member = await newMember(start);
  const me = answered(await meGet({ client: member.client }));
  equal([me.id, me.account_ids], [member.userId, [member.accountId]]);
  await entries(member);
  await lose(member.client, admin);
  const late = { client: admin, path: { payment_id: start.latePayment } };
  equal(answered(await paymentsAcceptLate(late)).paid_late_at, null);
  refused(await paymentsAcceptLate(late), 400, "nothing_late");
}

async function entries({ client, accountId }: Person): Promise<void> {
  for (const type of ["payment", "payment"] as const)
    answered(await transactionsCreate({ client, body: { ...money, type } }));
  const filters = {
    account_id: accountId,
    kind: ["available" as const],
    currency: "eur",
    booked_from: "2020-01-01",
    booked_to: "2099-01-01T00:00:00+01:00",
  };
  const query = { ...filters, limit: 1, include_total: true, total_max: 10 };
  const first = answered(await ledgerEntries({ client, query }));
  equal([first.total_count, first.data[0]?.balance_after], [2, 1000]);
  const second = answered(await ledgerEntries({ client, query: { ...query, cursor: nextOf(first) } }));
  equal([second.has_more, second.data[0]?.balance_after], [false, 2000]);
  const unknown = { client, query: { account_id: absent("acct") } };
  refused(await ledgerEntries(unknown), 400, "account_not_found");
  const columns = ["currency" as const, "signed_amount" as const];
  const csv = await ledgerExportEntries({ client, query: { ...filters, columns, format: "csv" } });
  equal(answered(csv), "currency,signed_amount\r\nEUR,1000\r\nEUR,1000\r\n");
  refused(await ledgerExportEntries(unknown), 400, "account_not_found");
}

/** A payment that its payer takes back for good: a part of it is due again, the rest is written off. */
async function lose(client: Client, admin: Client): Promise<void> {
  const body = { ...money, type: "product" as const };
  const { payment_id, payment_url } = answered(await paymentsCreate({ client, body }));
  const path = { payment_id };
  refused(await paymentsReopen({ client, path }), 400, "nothing_lost");
  if (payment_url === null) throw new Error("The payment request has no page.");
  await payByForm(payment_url);
  for (const event of ["dispute", "dispute_lost"] as const)
    answered(await sandboxSimulate({ client: admin, path, body: { event } }));
  equal(answered(await paymentsReopen({ client, path, body: { amount: 400 } })).amount_due, 400);
  const written = answered(await paymentsWriteOff({ client, path, body: { reason: "The payer has moved" } }));
  equal([written.amount_written_off, written.amount_lost], [600, 0]);
  refused(await paymentsWriteOff({ client, path }), 400, "nothing_lost");
}
