// Mails about payment requests, by the client of @hey-api/openapi-ts.
import {
  mailsGet,
  mailsList,
  mailsResend,
  paymentsCreate,
  paymentsRemind,
  paymentsSend,
} from "../../generated/hey-api";
import type { Client } from "../../generated/hey-api/client";
import { absent, answered, equal, newEmail, nextOf, refused, replayed, type Start, unique, until } from "../walk";
import { newMember, type Person } from "./people";

export async function walkMails(start: Start): Promise<void> {
  const member = await newMember(start);
  await start.verify(member.email);
  const email = newEmail();
  const body = { type: "product" as const, amount: 1250, currency: "EUR", customer: { email }, send: true };
  const { payment_id } = answered(await paymentsCreate({ client: member.client, body }));
  await resend(member.client, await send(member.client, payment_id, email));
  await list(member, payment_id, email);
  await remind(member.client);
}

async function remind(client: Client): Promise<void> {
  const body = { type: "product" as const, amount: 1250, currency: "EUR", customer: { email: newEmail() } };
  const { payment_id } = answered(await paymentsCreate({ client, body }));
  const reminder = answered(await paymentsRemind({ client, path: { payment_id }, body: { message: "Soon?" } }));
  equal(reminder.kind, "payment_reminder");
}

/** Mails the payment request a second time; resolves with the id of that mail. */
async function send(client: Client, payment_id: string, email: string): Promise<string> {
  const path = { payment_id };
  const sent = answered(await paymentsSend({ client, path, body: { message: "Thank you" } }));
  equal([sent.kind, sent.to, sent.status, sent.sent_at], ["payment_request", email, "queued", null]);
  refused(await paymentsSend({ client, path, body: { to: newEmail() } }), 400, "insufficient_permissions");
  const { text } = answered(await mailsGet({ client, path: { mail_id: sent.mail_id } }));
  equal(text?.includes("Thank you"), true);
  refused(await mailsGet({ client, path: { mail_id: absent("mai") } }), 400, "mail_not_found");
  return sent.mail_id;
}

async function resend(client: Client, mail_id: string): Promise<void> {
  const path = { mail_id };
  await until(async () => answered(await mailsGet({ client, path })).status === "sent");
  const headers = { "Idempotency-Key": unique("resend") };
  const queued = answered(await mailsResend({ client, path, headers }));
  equal([queued.mail_id, queued.status, queued.attempts], [mail_id, "queued", 0]);
  replayed((await mailsResend({ client, path, headers })).response);
  refused(await mailsResend({ client, path: { mail_id: absent("mai") } }), 400, "mail_not_found");
}

async function list({ client, accountId }: Person, payment_id: string, email: string): Promise<void> {
  const query = {
    account_id: accountId,
    payment_id,
    status: ["queued" as const, "sent" as const],
    kind: ["payment_request" as const],
    q: email.toUpperCase(),
    created_from: "2020-01-01",
    created_to: "2099-12-31T23:59:59+01:00",
    limit: 1,
    include_total: true,
    total_max: 10,
  };
  const first = answered(await mailsList({ client, query }));
  const second = answered(await mailsList({ client, query: { ...query, cursor: nextOf(first) } }));
  equal([first.total_count, first.data.length, second.data.length, second.has_more], [2, 1, 1, false]);
  refused(await mailsList({ client, query: { account_id: absent("acct") } }), 400, "account_not_found");
}
