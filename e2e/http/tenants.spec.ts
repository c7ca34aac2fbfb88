// Two organizations: each answers requests about the other, byte for byte, as if it did not exist.
import { expect } from "playwright/test";
import { type Api, type ApiError, signIn } from "../api";
import { allScopes, type Call, calls, send } from "../contract/calls";
import {
  memberPassword,
  newEmail,
  newMember,
  newOrganization,
  type Person,
  receive,
  requestPayment,
  runProgram,
  succeeded,
  type UserBody,
  unique,
} from "../contract/people";
import { absentId } from "../contract/records";
import { test } from "../fixtures";

type Json = Record<string, unknown>;

/** One object of each kind that a caller can name. */
const prefixes = {
  account: "acct",
  customer: "cus",
  user: "usr",
  session: "ses",
  payment: "pay",
  subscription: "sub",
  transaction: "txn",
  api_key: "key",
  invitation: "inv",
  mail: "mai",
};
type Kind = keyof typeof prefixes;
type Target = Record<Kind, string>;

const kinds = Object.keys(prefixes) as Kind[];
const targetOf = (idOf: (kind: Kind) => string) =>
  Object.fromEntries(kinds.map((kind) => [kind, idOf(kind)])) as Target;

/** Fields whose names end like those of an object's id and that name none, or none of another caller's. */
const otherIds = ["device_id", "organization_id", "tax_id"];

/** Which object a field or parameter names; null if it names none. */
function kindOf(name: string, operationId: string): Kind | null {
  if (name === "actor_id") return "user";
  if (name === "target_id") return "account";
  // A text filter finds the listed records by their ids, so a list's own kind is the one to look for.
  if (name === "q") return kinds.find((kind) => operationId.startsWith(`${kind}s.`)) ?? "account";
  if (!name.endsWith("_id") || otherIds.includes(name)) return null;
  const kind = kinds.find((each) => name === `${each}_id` || name.endsWith(`_${each}_id`));
  if (!kind) throw new Error(`${operationId}: ${name} names an object of a kind that this test does not know.`);
  return kind;
}

/** A call with the caller's own objects, in which one field or parameter names an object of somebody else. */
interface Attempt {
  name: string;
  /** Whether a filter of a list names the object. */
  isFilter: boolean;
  callOn(own: Target, target: Target): Call;
}

/** Every operation that takes identifiers, once for each of them and each form of its body. */
const attempts = calls
  .flatMap((call) => [
    ...attemptsOf(call),
    ...(call.queryNames.includes("wait") ? attemptsOf({ ...call, query: { wait: "1" } }) : []),
  ])
  .filter(({ name }, i, all) => all.findIndex((attempt) => attempt.name === name) === i);

function attemptsOf(call: Call): Attempt[] {
  const { operationId, method, body, bodyNames, inPath, queryNames } = call;
  const form = typeof body?.type === "string" ? ` ${body.type}` : "";
  const owned = (fields: Json, own: Target): Json =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => {
        const kind = kindOf(name, operationId);
        return [name, kind && name !== "q" ? own[kind] : value];
      }),
    );
  const attempt = (place: "inPath" | "query" | "body", name: string): Attempt[] => {
    const kind = kindOf(name, operationId);
    if (!kind) return [];
    const callOn = (own: Target, target: Target) => {
      const hasBody = body && (place !== "query" || method === "GET");
      const all = { ...call, inPath: owned(call.inPath, own), body: hasBody ? owned(body, own) : undefined };
      return { ...all, [place]: { ...all[place], [name]: target[kind] } } as Call;
    };
    const waiting = call.query.wait ? ", waiting" : "";
    const isFilter = method === "GET" && place === "query";
    return [{ name: `${operationId}${form} by ${name} in ${place}${waiting}`, isFilter, callOn }];
  };
  return [
    ...Object.keys(inPath).flatMap((name) => attempt("inPath", name)),
    ...queryNames.flatMap((name) => attempt("query", name)),
    ...bodyNames.flatMap((name) => attempt("body", name)),
  ];
}

const absent = targetOf((kind) => absentId(prefixes[kind]));
const malformed = targetOf((kind) => kind.slice(0, 1));

/** A response without the parts that differ every time, such as until when a list of postings is final. */
const comparable = (reply: { status: number; text: string; headers: Headers }) => ({
  status: reply.status,
  text: reply.text.replace(/"final_before":"[^"]*"/, ""),
  headers: [...reply.headers].filter(([name]) => !["request-id", "date", "final-before"].includes(name)).sort(),
});

let stranger: Person;
/** An API key of the stranger's organization with every scope. */
let strangersKey: string;
/** What the stranger's organization has. */
let strangersOwn: Target;
let bystander: Person;
let bystandersOwn: Target;
let target: Target;
let victim: Person;
/** What the victim's organization has before any attempt. */
let heldBefore: string;

/** The paths of all lists. */
const lists = calls
  .filter(({ method, queryNames }) => method === "GET" && queryNames.includes("cursor"))
  .map(({ pattern }) => pattern);

/** Everything in the victim's organization, as its admin sees it, apart from who called. */
async function holdings(api: Api, token: string): Promise<string> {
  const lasting = lists.filter((path) => !/audit|sessions/.test(path));
  const replies = await Promise.all(
    lasting.map((path) => api<{ data: unknown }>("GET", `${path}?limit=100`, { token })),
  );
  // A list of postings also says until when it is final.
  return replies.map((reply) => JSON.stringify(succeeded(reply).data)).join("\n");
}

/** One object of each kind: the person's own, and those that only admins make in the person's organization. */
async function objectsOf(api: Api, person: Person, adminToken: string): Promise<Target> {
  const make = async (path: string, body: Json, token = adminToken) =>
    succeeded(await api("POST", path, { token, body }));
  const customer = { email: newEmail() };
  const { payment_id } = await requestPayment(api, person, 500, { customer });
  const { transaction_id } = await receive(api, person, 1_000);
  const { subscription_id } = await subscribed(api, person);
  const made = {
    ...(await make("/v1/api_keys", { name: "Till", scopes: ["payments:read"] })),
    ...(await make("/v1/invitations", { email: newEmail(), role: "member" })),
    ...(await make("/v1/customers", { name: "Grace" }, person.token)),
    ...(await make(`/v1/payments/${payment_id}/send`, {})),
    ...{ payment_id, transaction_id, subscription_id, session_id: person.tokens.session_id },
    ...{ user_id: person.userId, account_id: person.accountId },
  } as Record<string, unknown>;
  return targetOf((kind) => String(made[`${kind}_id`]));
}

/** The payment request that began a subscription to the person's account. */
async function subscribed(api: Api, { token, accountId }: Person): Promise<Json> {
  const terms = { type: "subscription", amount: 500, currency: "EUR", subscription: { interval: "month" } };
  const asked = await api<Json>("POST", "/v1/payments", { token, body: { ...terms, account_id: accountId } });
  const body = { method: "cash", reason: "Paid at the counter" };
  return succeeded(await api<Json>("POST", `/v1/payments/${succeeded(asked).payment_id}/mark_paid`, { token, body }));
}

test.beforeAll(async ({ api, server, adminToken }) => {
  stranger = await newOrganization(server, api);
  const key = { name: "Till", scopes: allScopes };
  strangersKey = String(succeeded(await api("POST", "/v1/api_keys", { token: stranger.token, body: key })).secret);
  const body = { email: newEmail(), password: memberPassword };
  const colleague = succeeded(await api<UserBody>("POST", "/v1/users", { token: stranger.token, body }));
  strangersOwn = { ...(await objectsOf(api, stranger, stranger.token)), user: colleague.user_id };
  victim = await newMember(api);
  target = await objectsOf(api, victim, adminToken);
  bystander = await newMember(api);
  await runProgram(server, "server/cli.ts", ["user", "verify", bystander.email]);
  bystandersOwn = await objectsOf(api, bystander, adminToken);
  heldBefore = await holdings(api, adminToken);
});

/** Expects that the object was not found, that nothing was, or that the caller may not do this at all. */
function expectNothing({ status, text }: { status: number; text: string }): void {
  if (status !== 200) expect(text).toMatch(/"error_code":"(\w+_not_found|insufficient_permissions)"/);
  // A download has the line of its columns.
  else expect(text.includes('"data":[]') || text.trim().split("\n").length === 1, text).toBe(true);
}

for (const { name, isFilter, callOn } of attempts) {
  test(`${name}: another organization's id is answered like one that does not exist`, async ({ api, adminToken }) => {
    for (const token of [stranger.token, strangersKey]) {
      const call = async (to: Target) => comparable(await send(api, callOn(strangersOwn, to), token));
      const foreign = await call(target);
      expect(await call(absent)).toEqual(foreign);
      // Only a filter of a list may give another answer to a malformed identifier.
      if (!isFilter) expect(await call(malformed)).toEqual(foreign);
      expectNothing(foreign);
    }
    expect(await holdings(api, adminToken)).toBe(heldBefore);
  });

  test(`${name}: another member's id is answered to a member the same way`, async ({ api }) => {
    // Within the organization, sessions have a different error, and a transfer may go to any account.
    if (/^sessions|by destination_account_id/.test(name)) return;
    const call = async (to: Target) => comparable(await send(api, callOn(bystandersOwn, to), bystander.token));
    const foreign = await call(target);
    expect(await call(absent)).toEqual(foreign);
    expectNothing(foreign);
  });
}

test("lists show only their own organization", async ({ api, adminToken }) => {
  for (const path of lists) {
    const seen = await api("GET", `${path}?limit=100`, { token: adminToken });
    for (const id of [...Object.values(strangersOwn), stranger.email])
      expect(succeeded(seen) && seen.text).not.toContain(id);
    const theirs = await api("GET", `${path}?limit=100`, { token: stranger.token });
    for (const id of Object.values(target)) expect(succeeded(theirs) && theirs.text).not.toContain(id);
  }
});

test("a cursor of one organization shows nothing of it to another", async ({ api, adminToken }) => {
  for (const _ of [1, 2]) await requestPayment(api, victim);
  const page = await api<{ next_cursor: string }>("GET", "/v1/payments?limit=1", { token: adminToken });
  const path = `/v1/payments?limit=1&cursor=${succeeded(page).next_cursor}`;
  const reply = await api<ApiError & { data: { account_id: string }[] }>("GET", path, { token: stranger.token });
  // A cursor is only a position: it is refused, or returns a page of the caller's own records.
  if (reply.status === 200) for (const { account_id } of reply.body.data) expect(account_id).toBe(stranger.accountId);
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
