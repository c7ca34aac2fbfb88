// Accounts, by the client of @hey-api/openapi-ts.
import { accountsClose, accountsCreate, accountsGet, accountsList, accountsUpdate } from "../../generated/hey-api";
import type { Client } from "../../generated/hey-api/client";
import { absent, answered, equal, newEmail, nextOf, refused, type Start, tagOf, unique } from "../walk";
import { newMember } from "./people";

export async function walkAccounts(start: Start, admin: Client): Promise<void> {
  const { client, userId } = await newMember(start);
  const email = newEmail();
  const body = { account_type: "business" as const, account_name: "Grace's bakery", email, metadata: { shop: "1" } };
  const account = answered(await accountsCreate({ client, body }));
  equal([account.owner_user_id, account.balances, account.preferences.locale], [userId, [], null]);
  const forOther = { ...body, owner_user_id: absent("usr") };
  refused(await accountsCreate({ client, body: forOther }), 400, "insufficient_permissions");
  await update(client, account.account_id);
  await list(admin, email, client);

  const query = { account_id: account.account_id, reason: "moving" };
  const closed = answered(await accountsClose({ client, query }));
  equal([closed.status, closed.revoked_tokens, closed.canceled_payments], ["closed", 0, 0]);
  refused(await accountsClose({ client: admin, body: query }), 400, "account_already_closed");
}

async function update(client: Client, account_id: string): Promise<void> {
  const path = { account_id };
  const tag = tagOf((await accountsGet({ client, path })).response);
  const headers = { "If-None-Match": tag, "Request-Id": unique("walk") };
  const { response } = await accountsGet({ client, path, headers });
  equal([response.status, response.headers.get("Request-Id")], [304, headers["Request-Id"]]);
  const rename = () =>
    accountsUpdate({
      client,
      headers: { "If-Match": tag },
      body: { account_id, preferences: { locale: "de-AT", branding: { color: "#0b7285" } }, metadata: { shop: null } },
    });
  const renamed = answered(await rename());
  equal([renamed.metadata, renamed.preferences.locale], [{}, "de-AT"]);
  refused(await rename(), 400, "version_conflict");
  refused(await accountsGet({ client, path: { account_id: absent("acct") } }), 400, "account_not_found");
}

async function list(admin: Client, email: string, member: Client): Promise<void> {
  const another = { account_type: "individual" as const, account_name: "Another bakery", email };
  const newest = answered(await accountsCreate({ client: admin, body: another }));
  const query = {
    status: ["open" as const],
    account_type: ["business" as const, "individual" as const],
    email,
    q: "bakery",
    limit: 1,
    include_total: true,
    total_max: 10,
  };
  const first = answered(await accountsList({ client: admin, query }));
  equal([first.total_count, first.data.map((row) => row.account_id)], [2, [newest.account_id]]);
  const second = answered(await accountsList({ client: admin, query: { ...query, cursor: nextOf(first) } }));
  equal([second.has_more, second.data.length], [false, 1]);
  refused(await accountsList({ client: member }), 400, "insufficient_permissions");
}
