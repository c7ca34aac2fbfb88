// Accounts, by openapi-fetch.
import { absent, answered, equal, newEmail, nextOf, refused, type Start, tagOf, unique } from "../walk";
import { type Client, newMember } from "./people";

export async function walkAccounts(start: Start, admin: Client): Promise<void> {
  const member = await newMember(start);
  const email = newEmail();
  const body = { account_type: "business" as const, account_name: "Grace's bakery", email, metadata: { shop: "1" } };
  const account = answered(await member.client.POST("/v1/accounts", { body }));
  equal([account.owner_user_id, account.balances, account.preferences.locale], [member.userId, [], null]);
  const forOther = { ...body, owner_user_id: absent("usr") };
  refused(await member.client.POST("/v1/accounts", { body: forOther }), 400, "insufficient_permissions");
  await update(member.client, account.account_id);
  await list(admin, email, member.client);

  const query = { account_id: account.account_id, reason: "moving" };
  const closed = answered(await member.client.DELETE("/v1/auth/close", { params: { query } }));
  equal([closed.status, closed.revoked_tokens, closed.canceled_payments], ["closed", 0, 0]);
  refused(await admin.DELETE("/v1/auth/close", { body: query }), 400, "account_already_closed");
}

async function update(client: Client, account_id: string): Promise<void> {
  const path = { account_id };
  const read = await client.GET("/v1/accounts/{account_id}", { params: { path } });
  const tag = tagOf(read.response);
  const header = { "If-None-Match": tag, "Request-Id": unique("walk") };
  const { response } = await client.GET("/v1/accounts/{account_id}", { params: { path, header } });
  equal([response.status, response.headers.get("Request-Id")], [304, header["Request-Id"]]);
  const rename = () =>
    client.PATCH("/v1/accounts", {
      params: { header: { "If-Match": tag } },
      body: { account_id, preferences: { locale: "de-AT", branding: { color: "#0b7285" } }, metadata: { shop: null } },
    });
  const renamed = answered(await rename());
  equal([renamed.metadata, renamed.preferences.locale], [{}, "de-AT"]);
  refused(await rename(), 400, "version_conflict");
  const unknown = { path: { account_id: absent("acct") } };
  refused(await client.GET("/v1/accounts/{account_id}", { params: unknown }), 400, "account_not_found");
}

async function list(admin: Client, email: string, member: Client): Promise<void> {
  const another = { account_type: "individual" as const, account_name: "Another bakery", email };
  const newest = answered(await admin.POST("/v1/accounts", { body: another }));
  const query = {
    status: ["open" as const],
    account_type: ["business" as const, "individual" as const],
    email,
    q: "bakery",
    limit: 1,
    include_total: true,
    total_max: 10,
  };
  const first = answered(await admin.GET("/v1/auth/accounts", { params: { query } }));
  equal([first.total_count, first.data.map((row) => row.account_id)], [2, [newest.account_id]]);
  const second = await admin.GET("/v1/auth/accounts", { params: { query: { ...query, cursor: nextOf(first) } } });
  equal([answered(second).has_more, answered(second).data.length], [false, 1]);
  refused(await member.GET("/v1/auth/accounts"), 400, "insufficient_permissions");
}
