// API keys over HTTP: made by an admin, used by programs. Each scope allows its own calls and no others.
import { expect } from "playwright/test";
import type { Api, ApiError, ApiReply } from "../api";
import { allScopes, calls, send } from "../contract/calls";
import { test } from "../contract/described";
import {
  memberPassword,
  newEmail,
  newMember,
  newOrganization,
  type Person,
  succeeded,
  unique,
} from "../contract/people";
import { expectRecord, idOf, instantPattern, recordFields } from "../contract/records";

type Call = [method: string, path: string, body?: Record<string, unknown>];
type KeyBody = { api_key_id: string; secret: string | null; scopes: string[]; last4: string; prefix: string };

let admin: Person;
let person: Person;
test.beforeAll(async ({ api, server }) => {
  admin = await newOrganization(server, api);
  const body = { email: newEmail(), password: memberPassword };
  const user = succeeded(await api<Person & { user_id: string; account_id: string }>("POST", "/v1/users", as(body)));
  person = { ...admin, userId: user.user_id, accountId: user.account_id };
});

const outcomeOf = ({ status, body }: ApiReply<ApiError>) => (status === 200 ? "ok" : body.error_code);
const as = (body?: Record<string, unknown>) => ({ token: admin.token, body });
const make = async (api: Api, given: Record<string, unknown>): Promise<KeyBody & { secret: string }> => {
  const made = succeeded(await api<KeyBody>("POST", "/v1/api_keys", as({ name: "Till", ...given })));
  return { ...made, secret: made.secret ?? "" };
};

test("each scope allows its operations, and every other scope together does not", async ({ described: api }) => {
  const keys = new Map<string | null, { only: string; others: string }>();
  for (const scope of [null, ...allScopes]) {
    const others = await make(api, { scopes: allScopes.filter((other) => other !== scope) });
    const only = scope === null ? others : await make(api, { scopes: [scope] });
    keys.set(scope, { only: only.secret, others: others.secret });
  }
  const used = new Set<string | null>();
  for (const operationId of new Set(calls.map((call) => call.operationId))) {
    const bodies = calls.filter((call) => call.operationId === operationId);
    const scope = bodies[0]?.scope ?? null;
    if (scope === "any") {
      for (const { only } of keys.values())
        expect((await send(api, bodies[0] as (typeof bodies)[0], only)).status).toBe(200);
      continue;
    }
    const { only = "", others = "" } = keys.get(scope) ?? {};
    for (const call of bodies) {
      const denied = await send<ApiError>(api, call, others);
      expect([call.name, denied.body.error_code]).toEqual([call.name, "insufficient_permissions"]);
    }
    if (scope === null) continue;
    used.add(scope);
    const outcomes: string[] = [];
    // A body may ask for what only users may do, such as a new admin.
    for (const call of bodies) outcomes.push(outcomeOf(await send<ApiError>(api, call, only)));
    const allowed = expect.stringMatching(/^ok$|_not_found$/);
    expect([operationId, scope, outcomes]).toEqual([operationId, scope, expect.arrayContaining([allowed])]);
  }
  // Changing an owner needs a scope in addition to that of the operation.
  expect([...used, "accounts:owner"].sort()).toEqual([...allScopes].sort());
});

test("a key has every field; its secret is shown once, and not to a repeated request", async ({ described: api }) => {
  const body = { name: "Till", scopes: ["payments:read"], account_id: person.accountId, ip_allow: ["127.0.0.0/8"] };
  const headers = { "Idempotency-Key": unique() };
  const reply = await api<KeyBody>("POST", "/v1/api_keys", { ...as(body), headers });
  const key = succeeded(reply);
  expectRecord(key, recordFields.apiKey);
  expect(key).toMatchObject({
    ...{ api_key_id: expect.stringMatching(idOf("key")), created_by: admin.userId, account_id: person.accountId },
    ...{ created_at: expect.stringMatching(instantPattern), revoked_at: null, last_used_at: null, expires_at: null },
    secret: expect.stringMatching(/^qtsk_[0-9A-Za-z]{49}$/),
  });
  const again = await api<KeyBody>("POST", "/v1/api_keys", { ...as(body), headers });
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(succeeded(again)).toEqual({ ...key, secret: null });
  const list = succeeded(await api<{ data: KeyBody[] }>("GET", "/v1/api_keys?limit=1&include_total=true", as()));
  expect(list.data).toEqual([{ ...key, secret: null }]);
});

test("rotating gives a second secret, and revoking ends both", async ({ described: api }) => {
  const key = await make(api, { scopes: ["transactions:read"] });
  const use = async (token: string) => (await api("GET", "/v1/transactions", { token })).status;
  const path = `/v1/api_keys/${key.api_key_id}`;
  const rotated = succeeded(await api<KeyBody>("POST", `${path}/rotate`, as({ overlap_hours: 1 })));
  expect([rotated.api_key_id, rotated.secret === key.secret]).toEqual([key.api_key_id, false]);
  expect([await use(key.secret), await use(rotated.secret ?? "")]).toEqual([200, 200]);
  expect(succeeded(await api<KeyBody>("DELETE", path, as()))).toMatchObject({ secret: null });
  expect([await use(key.secret), await use(rotated.secret ?? "")]).toEqual([401, 401]);
  for (const [method, address] of [
    ["DELETE", path],
    ["POST", `${path}/rotate`],
    ["DELETE", "/v1/api_keys/anything"],
  ] as const) {
    const refused = await api<ApiError>(method, address, as());
    expect([refused.status, refused.body.error_code]).toEqual([400, "api_key_not_found"]);
  }
});

test("a key works only from its allowed addresses", async ({ described: api }) => {
  const here = await make(api, { scopes: ["transactions:read"], ip_allow: ["127.0.0.0/8", "::1"] });
  const elsewhere = await make(api, { scopes: ["transactions:read"], ip_allow: ["192.0.2.7"] });
  expect((await api("GET", "/v1/transactions", { token: here.secret })).status).toBe(200);
  const refused = await api<ApiError>("GET", "/v1/transactions", { token: elsewhere.secret });
  expect([refused.status, refused.body.error_code]).toEqual([401, "unauthorized"]);
});

test("members and keys neither see nor make keys", async ({ described: api }) => {
  const member = await newMember(api);
  const key = await make(api, { scopes: allScopes });
  for (const token of [member.token, key.secret]) {
    for (const [method, path, body] of [
      ["POST", "/v1/api_keys", { name: "Child", scopes: ["payments:read"] }],
      ["GET", "/v1/api_keys"],
      ["POST", `/v1/api_keys/${key.api_key_id}/rotate`],
      ["DELETE", `/v1/api_keys/${key.api_key_id}`],
    ] as Call[]) {
      const refused = await api<ApiError>(method, path, { token, body });
      expect([refused.status, refused.body.error_code]).toEqual([400, "insufficient_permissions"]);
    }
  }
});
