// Two organizations: each answers requests about the other, byte for byte, as if it did not exist.
import { expect } from "playwright/test";
import { type Api, type ApiError, signIn } from "../api";
import { test } from "../fixtures";
import {
  memberPassword,
  newEmail,
  newMember,
  newOrganization,
  type Person,
  receive,
  requestPayment,
  succeeded,
  type UserBody,
  unique,
} from "./people";
import { absentId } from "./records";

type Target = {
  account: string;
  user: string;
  session: string;
  payment: string;
  transaction: string;
  key: string;
  invitation: string;
};
type Call = [method: string, path: string, body?: Record<string, unknown>];

/** Every operation that takes identifiers, once for each of them. */
function callsOn({ account, user, session, payment, transaction, key, invitation }: Target): Record<string, Call> {
  const money = { amount: 10, currency: "EUR" };
  const newAccount = { account_type: "individual", account_name: "X", email: "x@example.com" };
  return {
    "sessions.invalidate": ["DELETE", "/v1/auth/session", { session_id: session }],
    "sessions.invalidate by query": ["DELETE", `/v1/auth/session?session_id=${session}`],
    "sessions.list": ["GET", `/v1/auth/sessions?user_id=${user}`],
    "accounts.create": ["POST", "/v1/accounts", { ...newAccount, owner_user_id: user }],
    "accounts.update": ["PATCH", "/v1/accounts", { account_id: account, account_name: "Taken" }],
    "accounts.close": ["DELETE", "/v1/auth/close", { account_id: account }],
    "accounts.close by query": ["DELETE", `/v1/auth/close?account_id=${account}`],
    "accounts.get": ["GET", `/v1/accounts/${account}`],
    "accounts.list": ["GET", `/v1/auth/accounts?q=${account}`],
    "invitations.revoke": ["DELETE", `/v1/invitations/${invitation}`],
    "apiKeys.create": ["POST", "/v1/api_keys", { name: "X", scopes: ["payments:read"], account_id: account }],
    "apiKeys.rotate": ["POST", `/v1/api_keys/${key}/rotate`, {}],
    "apiKeys.revoke": ["DELETE", `/v1/api_keys/${key}`],
    "auditEntries.list": ["GET", `/v1/audit_entries?target_id=${account}`],
    "users.remove": ["DELETE", `/v1/users/${user}`],
    "users.list": ["GET", `/v1/users?q=${user}`],
    "payments.create": ["POST", "/v1/payments", { type: "product", ...money, account_id: account }],
    "payments.get": ["GET", `/v1/payments/${payment}`],
    "payments.status": ["GET", `/v1/payments/${payment}/status`],
    "payments.status, waiting": ["GET", `/v1/payments/${payment}/status?wait=1`],
    "payments.cancel": ["POST", `/v1/payments/${payment}/cancel`, {}],
    "payments.capture": ["POST", `/v1/payments/${payment}/capture`, {}],
    "payments.refund": ["POST", `/v1/payments/${payment}/refund`, {}],
    "payments.list": ["GET", `/v1/payments?account_id=${account}`],
    "transactions.create payment": ["POST", "/v1/transactions", { type: "payment", ...money, account_id: account }],
    "transactions.create towards": ["POST", "/v1/transactions", { type: "payment", ...money, payment_id: payment }],
    "transactions.create credit": ["POST", "/v1/transactions", { type: "credit", ...money, account_id: account }],
    "transactions.create refund": ["POST", "/v1/transactions", { type: "refund", parent_transaction_id: transaction }],
    "transactions.create transfer": [
      "POST",
      "/v1/transactions",
      { type: "transfer", ...money, destination_account_id: account },
    ],
    "transactions.create transfer from": [
      "POST",
      "/v1/transactions",
      { type: "transfer", ...money, account_id: account, destination_account_id: absentId("acct") },
    ],
    "transactions.create adjustment": [
      "POST",
      "/v1/transactions",
      { type: "adjustment", ...money, account_id: account, direction: "out", reason: "other" },
    ],
    "transactions.get": ["GET", `/v1/transactions/${transaction}`],
    "transactions.list by account": ["GET", `/v1/transactions?account_id=${account}`],
    "transactions.list by payment": ["GET", `/v1/transactions?payment_id=${payment}`],
    "transactions.list by parent": ["GET", `/v1/transactions?parent_transaction_id=${transaction}`],
    "transactions.list by word": ["GET", `/v1/transactions?q=${transaction}`],
    "transactions.export by account": ["GET", `/v1/transactions/export?account_id=${account}`],
  };
}

const absent: Target = {
  account: absentId("acct"),
  user: absentId("usr"),
  session: absentId("ses"),
  payment: absentId("pay"),
  transaction: absentId("txn"),
  key: absentId("key"),
  invitation: absentId("inv"),
};
const malformed: Target = {
  account: "a",
  user: "b",
  session: "c",
  payment: "d",
  transaction: "e",
  key: "f",
  invitation: "g",
};

/** A response without the parts that differ every time. */
const comparable = (reply: { status: number; text: string; headers: Headers }) => ({
  status: reply.status,
  text: reply.text,
  headers: [...reply.headers].filter(([name]) => !["request-id", "date"].includes(name)).sort(),
});

let stranger: Person;
/** An API key of the stranger's organization with many scopes. */
let strangersKey: string;
let target: Target;
let victim: Person;

/** Everything in the victim's organization, as its admin sees it. */
async function holdings(api: Api, token: string): Promise<string> {
  const paths = [
    "/v1/auth/accounts",
    "/v1/users",
    "/v1/payments",
    "/v1/transactions",
    "/v1/api_keys",
    "/v1/invitations",
  ];
  const replies = await Promise.all(paths.map((path) => api("GET", `${path}?limit=100`, { token })));
  return replies.map((reply) => JSON.stringify(succeeded(reply))).join("\n");
}

const newKey = async (api: Api, token: string, scopes: string[]) =>
  succeeded(
    await api<{ api_key_id: string; secret: string }>("POST", "/v1/api_keys", {
      token,
      body: { name: "Till", scopes },
    }),
  );

const newInvitation = async (api: Api, token: string): Promise<string> => {
  const body = { email: newEmail(), role: "member" };
  return succeeded(await api<{ invitation_id: string }>("POST", "/v1/invitations", { token, body })).invitation_id;
};

test.beforeAll(async ({ api, server, adminToken }) => {
  stranger = await newOrganization(server, api);
  const kinds = ["sessions", "accounts", "users", "payments", "transactions"];
  const scopes = kinds.flatMap((kind) => [`${kind}:read`, `${kind}:write`]);
  strangersKey = (await newKey(api, stranger.token, [...scopes, "audit:read"])).secret;
  await receive(api, stranger, 1_000);
  victim = await newMember(api);
  const { payment_id } = await requestPayment(api, victim, 500);
  const { transaction_id } = await receive(api, victim, 1_000);
  target = {
    account: victim.accountId,
    user: victim.userId,
    session: victim.tokens.session_id,
    payment: payment_id,
    transaction: transaction_id,
    key: (await newKey(api, adminToken, ["payments:read"])).api_key_id,
    invitation: await newInvitation(api, adminToken),
  };
});

const send = (api: Api, token: string, [method, path, body]: Call) => api<ApiError>(method, path, { token, body });

for (const name of Object.keys(callsOn(absent))) {
  test(`${name}: another organization's id is answered like one that does not exist`, async ({ api, adminToken }) => {
    const before = await holdings(api, adminToken);
    const call = (to: Target) => send(api, stranger.token, callsOn(to)[name] ?? ["GET", ""]);
    const foreign = comparable(await call(target));
    expect(comparable(await call(absent))).toEqual(foreign);
    // Only a list's text filter may give another answer to a malformed identifier.
    if (!name.includes(".list")) expect(comparable(await call(malformed))).toEqual(foreign);
    expect(foreign.status === 200 ? foreign.text : '"data":[]').toContain('"data":[]');
    const byKey = (to: Target) => send(api, strangersKey, callsOn(to)[name] ?? ["GET", ""]);
    const foreignToKey = comparable(await byKey(target));
    expect(comparable(await byKey(absent))).toEqual(foreignToKey);
    expect(foreignToKey.status === 200 ? foreignToKey.text : '"data":[]').toContain('"data":[]');
    expect(await holdings(api, adminToken)).toBe(before);
  });

  test(`${name}: another member's id is answered to a member the same way`, async ({ api }) => {
    // Within the organization, sessions have a different error, and a transfer may go to any account.
    if (/sessions|create transfer$/.test(name)) return;
    const member = await newMember(api);
    const call = (to: Target) => send(api, member.token, callsOn(to)[name] ?? ["GET", ""]);
    const foreign = comparable(await call(target));
    expect(comparable(await call(absent))).toEqual(foreign);
    expect(foreign.status === 200 ? foreign.text : '"data":[]').toContain('"data":[]');
  });
}

test("lists show only their own organization", async ({ api, adminToken }) => {
  const foreign = [stranger.accountId, stranger.userId, stranger.organizationId, stranger.email];
  const own = Object.values(target);
  for (const path of ["/v1/auth/accounts", "/v1/users", "/v1/payments", "/v1/transactions", "/v1/auth/sessions"]) {
    const seen = await api("GET", `${path}?limit=100`, { token: adminToken });
    for (const id of foreign) expect(seen.text).not.toContain(id);
    const theirs = await api("GET", `${path}?limit=100&include_total=true`, { token: stranger.token });
    for (const id of own) expect(theirs.text).not.toContain(id);
    expect(succeeded(theirs).total_count).toBeLessThanOrEqual(1);
  }
});

test("a cursor of one organization shows nothing of it to another", async ({ api, adminToken }) => {
  for (const _ of [1, 2]) await requestPayment(api, victim);
  const page = await api<{ next_cursor: string }>("GET", "/v1/payments?limit=1", { token: adminToken });
  const path = `/v1/payments?limit=1&cursor=${succeeded(page).next_cursor}`;
  const reply = await api<ApiError & { data: unknown[] }>("GET", path, { token: stranger.token });
  // A cursor is only a position: it is refused, or returns a page of the caller's own records.
  if (reply.status === 200) expect(reply.body.data).toEqual([]);
  else expect(reply.body.error_code).toBe("invalid_cursor");
});

test("an Idempotency-Key of one organization has no effect in another", async ({ api }) => {
  const headers = { "Idempotency-Key": unique() };
  const body = { type: "product", amount: 100, currency: "EUR" };
  const one = await api("POST", "/v1/payments", { token: victim.token, body, headers });
  const other = await api("POST", "/v1/payments", { token: stranger.token, body, headers });
  expect(succeeded(other).payment_id).not.toBe(succeeded(one).payment_id);
  expect(other.headers.get("idempotent-replayed")).toBeNull();
});

test("a reference is unique only within its account", async ({ api }) => {
  const reference = unique();
  for (const person of [victim, stranger]) await receive(api, person, 5, { reference });
});

test("a sign-up cannot join an organization by name; only its admins create its users", async ({ api }) => {
  const body = { email: newEmail(), password: memberPassword, organization_id: stranger.organizationId };
  const refused = await api<ApiError>("POST", "/v1/users", { body });
  expect([refused.status, refused.body.error_code]).toEqual([400, "signup_closed"]);
  const made = succeeded(await api<UserBody>("POST", "/v1/users", { body, token: stranger.token }));
  expect(made.organization_id).toBe(stranger.organizationId);
  const users = await api<{ data: UserBody[] }>("GET", "/v1/users", { token: stranger.token });
  expect(succeeded(users).data.map((user) => user.user_id)).toContain(made.user_id);
});

test("the last admin cannot be removed; of two who remove each other, one remains", async ({ api, server }) => {
  const admin = await newOrganization(server, api);
  const remove = (as: Person, whom: Person) => api<ApiError>("DELETE", `/v1/users/${whom.userId}`, { token: as.token });
  expect(await remove(admin, admin)).toMatchObject({ status: 400, body: { error_code: "last_admin" } });
  const second = await newAdmin(api, admin);
  const replies = await Promise.all([remove(admin, second), remove(second, admin)]);
  expect(replies.map((reply) => reply.status).sort()).not.toEqual([200, 200]);
  expect(replies.some((reply) => reply.status === 200)).toBe(true);
});

async function newAdmin(api: Api, admin: Person): Promise<Person> {
  const email = newEmail();
  const body = { email, password: memberPassword, role: "admin" };
  const user = succeeded(await api<UserBody>("POST", "/v1/users", { token: admin.token, body }));
  const tokens = await signIn(api, email, memberPassword);
  return { ...admin, email, userId: user.user_id, accountId: user.account_id, token: tokens.access_token, tokens };
}
