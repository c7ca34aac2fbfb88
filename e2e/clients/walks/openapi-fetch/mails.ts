// Mails about payment requests, by openapi-fetch.
import { absent, answered, equal, newEmail, nextOf, refused, replayed, type Start, unique, until } from "../walk";
import { type Client, newMember, type Person } from "./people";

export async function walkMails(start: Start): Promise<void> {
  const member = await newMember(start);
  await start.verify(member.email);
  const email = newEmail();
  const body = { type: "product" as const, amount: 1250, currency: "EUR", customer: { email }, send: true };
  const { payment_id } = answered(await member.client.POST("/v1/payments", { body }));
  await resend(member.client, await send(member.client, payment_id, email));
  await list(member, payment_id, email);
  await remind(member.client);
}

async function remind(client: Client): Promise<void> {
  const body = { type: "product" as const, amount: 1250, currency: "EUR", customer: { email: newEmail() } };
  const { payment_id } = answered(await client.POST("/v1/payments", { body }));
  const reminding = { params: { path: { payment_id } }, body: { message: "Soon?" } };
  equal(answered(await client.POST("/v1/payments/{payment_id}/remind", reminding)).kind, "payment_reminder");
}

/** Mails the payment request a second time; resolves with the id of that mail. */
async function send(client: Client, payment_id: string, email: string): Promise<string> {
  const mailTo = (body: { to?: string; message?: string }) =>
    client.POST("/v1/payments/{payment_id}/send", { params: { path: { payment_id } }, body });
  const sent = answered(await mailTo({ message: "Thank you" }));
  equal([sent.kind, sent.to, sent.status, sent.sent_at], ["payment_request", email, "queued", null]);
  refused(await mailTo({ to: newEmail() }), 400, "insufficient_permissions");
  const { text } = answered(await retrieve(client, sent.mail_id));
  equal(text?.includes("Thank you"), true);
  refused(await retrieve(client, absent("mai")), 400, "mail_not_found");
  return sent.mail_id;
}

const retrieve = (client: Client, mail_id: string) =>
  client.GET("/v1/mails/{mail_id}", { params: { path: { mail_id } } });

async function resend(client: Client, mailId: string): Promise<void> {
  await until(async () => answered(await retrieve(client, mailId)).status === "sent");
  const header = { "Idempotency-Key": unique("resend") };
  const again = (mail_id: string) =>
    client.POST("/v1/mails/{mail_id}/resend", { params: { path: { mail_id }, header } });
  const queued = answered(await again(mailId));
  equal([queued.mail_id, queued.status, queued.attempts], [mailId, "queued", 0]);
  replayed((await again(mailId)).response);
  const unknown = { path: { mail_id: absent("mai") } };
  refused(await client.POST("/v1/mails/{mail_id}/resend", { params: unknown }), 400, "mail_not_found");
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
  const first = answered(await client.GET("/v1/mails", { params: { query } }));
  const second = answered(await client.GET("/v1/mails", { params: { query: { ...query, cursor: nextOf(first) } } }));
  equal([first.total_count, first.data.length, second.data.length, second.has_more], [2, 1, 1, false]);
  const elsewhere = { account_id: absent("acct") };
  refused(await client.GET("/v1/mails", { params: { query: elsewhere } }), 400, "account_not_found");
}
