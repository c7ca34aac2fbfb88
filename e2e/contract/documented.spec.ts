// The fourteen core operations as an API client uses them: every field of every response, every documented code.
import { expect } from "playwright/test";
import { type Api, type ApiError, signIn, type TokenPair } from "../api";
import { firstAdmin } from "../server";
import { test } from "./described";
import {
  memberPassword,
  newEmail,
  newMember,
  type Person,
  receive,
  requestPayment,
  type TransactionBody,
  unique,
} from "./people";
import { absentId, expectRecord, idOf, instantPattern, recordFields } from "./records";

type Refused = [status: number, code: string];
type Body = Record<string, unknown>;

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Sends a request that must fail; resolves with the error's description. */
async function refused(api: Api, [status, code]: Refused, ...call: Parameters<Api>): Promise<string> {
  const reply = await api<ApiError>(...call);
  expect({ status: reply.status, code: reply.body.error_code }).toEqual({ status, code });
  expectRecord(reply.body, recordFields.error);
  expect(reply.body.error_description).not.toBe("");
  return reply.body.error_description;
}

/** Sends a request that must succeed with 200; resolves with the body. */
async function answered<T = Body>(api: Api, ...call: Parameters<Api>): Promise<T> {
  const reply = await api<T>(...call);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.headers.get("content-type")).toMatch(/^application\/json/);
  return reply.body;
}

const near = (instant: unknown, expected: number, tolerance = minuteMs) => {
  expect(instant).toMatch(instantPattern);
  expect(Math.abs(Date.parse(String(instant)) - expected)).toBeLessThan(tolerance);
};

test.describe("POST /v1/auth/login", () => {
  test("200: a token pair of the documented form and lifetimes", async ({ described: api }) => {
    const { email } = await newMember(api);
    const pair = await answered<TokenPair>(api, "POST", "/v1/auth/login", {
      body: { email: email.toUpperCase(), password: memberPassword, device_id: "phone", client_version: "1.0" },
    });
    expectRecord(pair, recordFields.tokenPair);
    expect(pair.access_token).toMatch(/^qtat_[0-9A-Za-z]{49}$/);
    expect(pair.refresh_token).toMatch(/^qtrt_[0-9A-Za-z]{49}$/);
    expect(pair.session_id).toMatch(idOf("ses"));
    near(pair.expires_at, Date.now() + 15 * minuteMs);
    near(pair.refresh_token_expires_at, Date.now() + 30 * dayMs);
  });

  test("200: unknown fields are ignored", async ({ described: api }) => {
    await answered(api, "POST", "/v1/auth/login", { body: { ...firstAdmin, remember_me: true } });
  });

  test("400 invalid_credentials: wrong password, unknown and removed user", async ({ described: api }) => {
    const person = await newMember(api);
    const attempt = (email: string, password: string) =>
      refused(api, [400, "invalid_credentials"], "POST", "/v1/auth/login", { body: { email, password } });
    const wrong = await attempt(person.email, "not the password");
    expect(await attempt(newEmail(), memberPassword)).toBe(wrong);
    await answered(api, "DELETE", `/v1/users/${person.userId}`, { token: person.token });
    expect(await attempt(person.email, memberPassword)).toBe(wrong);
  });

  test("400 account_closed: only after the correct password", async ({ described: api }) => {
    const person = await newMember(api);
    await answered(api, "DELETE", "/v1/auth/close", { token: person.token });
    const login = (password: string) => ({ body: { email: person.email, password } });
    await refused(api, [400, "account_closed"], "POST", "/v1/auth/login", login(memberPassword));
    await refused(api, [400, "invalid_credentials"], "POST", "/v1/auth/login", login("not the password"));
  });

  test("400 invalid_request: names every invalid field", async ({ described: api }) => {
    const login = (body: Body) => refused(api, [400, "invalid_request"], "POST", "/v1/auth/login", { body });
    const description = await login({});
    expect(description).toContain("email");
    expect(description).toContain("password");
    expect(await login({ email: firstAdmin.email, password: 12345678 })).toContain("password");
    expect(await login({ ...firstAdmin, otp: 123456 })).toContain("otp");
  });
});

test.describe("POST /v1/auth/refresh", () => {
  const refresh = (token: string, body?: Body) => ["POST", "/v1/auth/refresh", { token, body }] as const;

  test("200: rotates by default, and earlier access tokens stay valid", async ({ described: api }) => {
    const { tokens } = await newMember(api);
    const pair = await answered<TokenPair>(api, ...refresh(tokens.refresh_token, { device_id: "d", unknown: 1 }));
    expectRecord(pair, recordFields.tokenPair);
    expect(pair.session_id).toBe(tokens.session_id);
    expect(pair.refresh_token).not.toBe(tokens.refresh_token);
    expect(pair.access_token).not.toBe(tokens.access_token);
    near(pair.expires_at, Date.now() + 15 * minuteMs);
    near(pair.refresh_token_expires_at, Date.now() + 30 * dayMs);
    for (const token of [tokens.access_token, pair.access_token]) {
      await answered(api, "GET", "/v1/transactions", { token });
    }
  });

  test("200: without rotation the refresh token stays valid and its expiry is left out", async ({ described: api }) => {
    const { tokens } = await newMember(api);
    for (const _ of [1, 2]) {
      const pair = await answered<TokenPair>(api, ...refresh(tokens.refresh_token, { rotate_refresh_token: false }));
      expectRecord(pair, recordFields.refreshedInPlace);
      expect(pair.refresh_token).toBe(tokens.refresh_token);
      await answered(api, "GET", "/v1/transactions", { token: pair.access_token });
    }
    await answered(api, ...refresh(tokens.refresh_token));
  });

  test("401 refresh_token_invalid: none, unknown, malformed, wrong kind, spent", async ({ described: api }) => {
    const { tokens } = await newMember(api);
    await refused(api, [401, "refresh_token_invalid"], "POST", "/v1/auth/refresh");
    const altered = `${tokens.refresh_token.slice(0, -1)}${tokens.refresh_token.endsWith("0") ? "1" : "0"}`;
    for (const token of [tokens.access_token, `qtrt_${"A".repeat(49)}`, altered, "x"]) {
      await refused(api, [401, "refresh_token_invalid"], ...refresh(token));
    }
    await answered(api, ...refresh(tokens.refresh_token));
    await refused(api, [401, "refresh_token_invalid"], ...refresh(tokens.refresh_token));
    // Within ten seconds this is a client's mistake, not theft, so the session stays live.
    await answered(api, "GET", "/v1/transactions", { token: tokens.access_token });
  });

  test("404 session_not_found: signed out, removed, closed", async ({ described: api }) => {
    const endings: ((person: Person) => Promise<unknown>)[] = [
      ({ token }) => answered(api, "DELETE", "/v1/auth/session", { token }),
      ({ token, userId }) => answered(api, "DELETE", `/v1/users/${userId}`, { token }),
      ({ token }) => answered(api, "DELETE", "/v1/auth/close", { token }),
    ];
    for (const end of endings) {
      const person = await newMember(api);
      await end(person);
      await refused(api, [404, "session_not_found"], ...refresh(person.tokens.refresh_token));
    }
  });
});

test.describe("DELETE /v1/auth/session", () => {
  const path = "/v1/auth/session";

  test("200: ends the caller's session and counts the tokens that were live", async ({ described: api }) => {
    const { tokens } = await newMember(api);
    const body = await answered(api, "DELETE", path, {
      token: tokens.access_token,
      body: { session_id: tokens.session_id, reason: "user_logout", unknown: true },
    });
    expectRecord(body, recordFields.invalidation);
    expect(body).toMatchObject({ success: true, invalidated_session_id: tokens.session_id, revoked_tokens: 2 });
    near(body.revoked_at, Date.now());
  });

  test("200: the query may carry the session and the reason", async ({ described: api }) => {
    const person = await newMember(api);
    const other = await signIn(api, person.email, memberPassword);
    const body = await answered(api, "DELETE", `${path}?session_id=${other.session_id}&reason=lost+phone`, {
      token: person.token,
    });
    expect(body.invalidated_session_id).toBe(other.session_id);
    await answered(api, "GET", "/v1/transactions", { token: person.token });
    await refused(api, [401, "unauthorized"], "GET", "/v1/transactions", { token: other.access_token });
  });

  test("200: compromised credentials end every session of the user", async ({ described: api }) => {
    const person = await newMember(api);
    const other = await signIn(api, person.email, memberPassword);
    await answered(api, "DELETE", path, { token: person.token, body: { reason: "credentials_compromised" } });
    await refused(api, [401, "unauthorized"], "GET", "/v1/transactions", { token: other.access_token });
  });

  test("401 unauthorized, session_not_found, insufficient_permissions, session_already_invalidated", async ({
    described: api,
    adminToken,
  }) => {
    const person = await newMember(api);
    const other = await newMember(api);
    const end = (token: string | undefined, session_id?: string) =>
      ["DELETE", path, { token, body: { session_id } }] as const;
    await refused(api, [401, "unauthorized"], ...end(undefined));
    await refused(api, [401, "unauthorized"], ...end(`qtat_${"A".repeat(49)}`));
    await refused(api, [401, "unauthorized"], ...end(person.tokens.refresh_token));
    await refused(api, [401, "session_not_found"], ...end(person.token, absentId("ses")));
    await refused(api, [401, "session_not_found"], ...end(person.token, "anything"));
    await refused(api, [401, "insufficient_permissions"], ...end(person.token, other.tokens.session_id));
    await answered(api, ...end(adminToken, other.tokens.session_id));
    await refused(api, [401, "session_already_invalidated"], ...end(adminToken, other.tokens.session_id));
    await refused(api, [401, "session_already_invalidated"], ...end(other.token));
  });
});

test.describe("GET /v1/auth/accounts", () => {
  test("200: pages of whole accounts, newest first", async ({ described: api, adminToken: token }) => {
    const people = [await newMember(api), await newMember(api), await newMember(api)];
    const first = await answered<{ data: Body[]; next_cursor: string; total_count: number }>(
      api,
      ...(["GET", "/v1/auth/accounts?limit=2&include_total=true", { token }] as const),
    );
    expectRecord(first, recordFields.page);
    expect(first).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
    expect(first.total_count).toBeGreaterThanOrEqual(4);
    expect(first.data.map((account) => account.account_id)).toEqual([people[2]?.accountId, people[1]?.accountId]);
    for (const account of first.data) expectRecord(account, recordFields.account);
    const second = await answered<{ data: Body[] }>(
      api,
      ...(["GET", `/v1/auth/accounts?limit=1&cursor=${first.next_cursor}`, { token }] as const),
    );
    expect(second.data[0]?.account_id).toBe(people[0]?.accountId);
    expect(second).toMatchObject({ total_count: null });
  });

  test("200: filters", async ({ described: api, adminToken: token }) => {
    const person = await newMember(api);
    const search = async (query: string) => {
      const body = await answered<{ data: Body[] }>(api, "GET", `/v1/auth/accounts?${query}`, { token });
      return body.data.map((account) => account.account_id);
    };
    expect(await search(`email=${encodeURIComponent(person.email)}`)).toEqual([person.accountId]);
    expect(await search(`q=${person.accountId}`)).toEqual([person.accountId]);
    expect(await search(`email=${encodeURIComponent(person.email)}&status=closed`)).toEqual([]);
    expect(await search(`email=${encodeURIComponent(person.email)}&account_type=business`)).toEqual([]);
  });

  test("400 insufficient_permissions, invalid_cursor, invalid_request", async ({
    described: api,
    adminToken: token,
  }) => {
    const member = await newMember(api);
    const list = (query: string, as: string) => ["GET", `/v1/auth/accounts${query}`, { token: as }] as const;
    await refused(api, [400, "insufficient_permissions"], ...list("", member.token));
    // The role is checked before the fields.
    await refused(api, [400, "insufficient_permissions"], ...list("?limit=0", member.token));
    await refused(api, [400, "invalid_cursor"], ...list("?cursor=garbage", token));
    for (const query of ["?limit=0", "?limit=101", "?limit=x", "?odd=1", "?status=odd", "?include_total=1"]) {
      await refused(api, [400, "invalid_request"], ...list(query, token));
    }
    await refused(api, [401, "unauthorized"], "GET", "/v1/auth/accounts");
  });
});

test.describe("POST /v1/accounts", () => {
  test("200: an account owned by the caller, with every field", async ({ described: api }) => {
    const person = await newMember(api);
    const account = await answered(api, "POST", "/v1/accounts", {
      token: person.token,
      body: {
        account_type: "business",
        account_name: "Ada's bakery",
        email: "Bakery@Example.com",
        preferences: { default_currency: "eur", timezone: "Europe/Vienna", branding: { color: "#0b7285" } },
        metadata: { shop: "1" },
      },
    });
    expectRecord(account, recordFields.account);
    expectRecord(account.preferences, recordFields.preferences);
    expectRecord((account.preferences as Body).branding, recordFields.branding);
    expect(account).toMatchObject({
      account_id: expect.stringMatching(idOf("acct")),
      organization_id: person.organizationId,
      account_type: "business",
      account_name: "Ada's bakery",
      owner_user_id: person.userId,
      status: "open",
      balances: [],
      metadata: { shop: "1" },
      closed_at: null,
      preferences: { default_currency: "EUR", locale: null, timezone: "Europe/Vienna", statement_descriptor: null },
    });
    near(account.created_at, Date.now());
  });

  test("400 invalid_request names the fields; a member cannot name another owner", async ({ described: api }) => {
    const person = await newMember(api);
    const create = (body: Body) => ["POST", "/v1/accounts", { token: person.token, body }] as const;
    const description = await refused(api, [400, "invalid_request"], ...create({ account_type: "trust", odd: 1 }));
    for (const field of ["account_type", "account_name", "email", "odd: unknown field"]) {
      expect(description).toContain(field);
    }
    const body = { account_type: "individual", account_name: "X", email: newEmail(), owner_user_id: absentId("usr") };
    await refused(api, [400, "insufficient_permissions"], ...create(body));
    await refused(api, [401, "unauthorized"], "POST", "/v1/accounts", { body });
  });
});

test.describe("PATCH /v1/accounts", () => {
  const patch = (token: string, body: Body) => ["PATCH", "/v1/accounts", { token, body }] as const;

  test("200: absent fields stay unchanged, null clears, objects merge", async ({ described: api }) => {
    const { token } = await newMember(api);
    await answered(
      api,
      ...patch(token, { preferences: { locale: "de", timezone: "Europe/Vienna" }, metadata: { a: "1" } }),
    );
    const account = await answered(
      api,
      ...patch(token, { account_name: "New name", preferences: { locale: null }, metadata: { b: "2" } }),
    );
    expectRecord(account, recordFields.account);
    expect(account).toMatchObject({
      account_name: "New name",
      preferences: { locale: null, timezone: "Europe/Vienna" },
      metadata: { a: "1", b: "2" },
    });
    expect((await answered(api, ...patch(token, { metadata: { a: null } }))).metadata).toEqual({ b: "2" });
  });

  test("400: another user's account, a closed account, an unknown field", async ({ described: api, adminToken }) => {
    const person = await newMember(api);
    const other = await newMember(api);
    const { accountId: account_id } = other;
    await refused(api, [400, "account_not_found"], ...patch(person.token, { account_id, account_name: "Mine" }));
    await answered(api, ...patch(adminToken, { account_id, account_name: "An admin may" }));
    await answered(api, "DELETE", "/v1/auth/close", { token: other.token });
    await refused(api, [400, "account_closed"], ...patch(adminToken, { account_id, account_name: "Too late" }));
    expect(await refused(api, [400, "invalid_request"], ...patch(person.token, { status: "closed" }))).toContain(
      "status",
    );
  });
});

test.describe("DELETE /v1/auth/close", () => {
  test("200: the closed account, and the sessions and payment requests that ended with it", async ({
    described: api,
  }) => {
    const person = await newMember(api);
    const { payment_id } = await requestPayment(api, person);
    const closed = await answered(api, "DELETE", "/v1/auth/close?reason=moving", { token: person.token });
    expectRecord(closed, recordFields.closedAccount);
    expect(closed).toMatchObject({
      account_id: person.accountId,
      status: "closed",
      closed_at: expect.stringMatching(instantPattern),
      revoked_tokens: 2,
      canceled_payments: 1,
    });
    await refused(api, [401, "unauthorized"], "GET", "/v1/transactions", { token: person.token });
    const admin = await signIn(api);
    const status = await answered(api, "GET", `/v1/payments/${payment_id}/status`, { token: admin.access_token });
    expect(status.status).toBe("canceled");
  });

  test("200: an owner of another open account is moved to it", async ({ described: api }) => {
    const person = await newMember(api);
    const body = { account_type: "business", account_name: "Second", email: newEmail() };
    const second = await answered(api, "POST", "/v1/accounts", { token: person.token, body });
    await answered(api, "DELETE", "/v1/auth/close", { token: person.token, body: { account_id: person.accountId } });
    await refused(api, [401, "unauthorized"], "GET", "/v1/transactions", { token: person.token });
    const { access_token: token } = await signIn(api, person.email, memberPassword);
    expect(await requestPayment(api, { ...person, token, accountId: String(second.account_id) })).toMatchObject({
      account_id: second.account_id,
    });
  });

  test("400: already closed, not found, account_id missing from an admin's call", async ({
    described: api,
    adminToken: token,
  }) => {
    const { accountId: account_id } = await newMember(api);
    const close = (body: Body) => ["DELETE", "/v1/auth/close", { token, body }] as const;
    await answered(api, ...close({ account_id }));
    await refused(api, [400, "account_already_closed"], ...close({ account_id }));
    await refused(api, [400, "account_not_found"], ...close({ account_id: absentId("acct") }));
    await refused(api, [400, "account_not_found"], ...close({ account_id: "acct_!" }));
    expect(await refused(api, [400, "invalid_request"], ...close({}))).toContain("account_id");
  });
});

test.describe("POST /v1/users", () => {
  test("200: the user, with an account of their own", async ({ described: api }) => {
    const email = newEmail();
    const user = await answered(api, "POST", "/v1/users", { body: { email, password: memberPassword, name: "Ada" } });
    expectRecord(user, recordFields.user);
    expect(user).toMatchObject({
      user_id: expect.stringMatching(idOf("usr")),
      account_id: expect.stringMatching(idOf("acct")),
      email,
      email_verified_at: null,
      name: "Ada",
      role: "member",
      status: "active",
      locale: null,
      timezone: null,
      mfa_enabled: false,
      last_login_at: null,
    });
    const { access_token: token } = await signIn(api, email, memberPassword);
    const account = await answered(api, "PATCH", "/v1/accounts", { token, body: {} });
    expect(account).toMatchObject({ account_id: user.account_id, account_type: "individual", account_name: "Ada" });
  });

  test("200: an admin can create admins and choose the account's fields", async ({
    described: api,
    adminToken: token,
  }) => {
    const account = { account_type: "business", account_name: "Works", email: newEmail() };
    const body = { email: newEmail(), password: memberPassword, role: "admin", account };
    const user = await answered(api, "POST", "/v1/users", { token, body });
    expect(user).toMatchObject({ role: "admin", name: null });
    const made = await answered(api, "GET", `/v1/accounts/${user.account_id}`, { token });
    expect(made).toMatchObject({ ...account, owner_user_id: user.user_id });
  });

  test("400: taken e-mail address, weak password, role, invalid fields", async ({ described: api }) => {
    const { email, token } = await newMember(api);
    const create = (given: Body, as?: string) =>
      ["POST", "/v1/users", { body: { email: newEmail(), password: memberPassword, ...given }, token: as }] as const;
    await refused(api, [400, "email_taken"], ...create({ email: email.toUpperCase() }));
    await refused(api, [400, "weak_password"], ...create({ password: "password123" }));
    const own = newEmail();
    await refused(api, [400, "weak_password"], ...create({ email: own, password: own }));
    await refused(api, [400, "insufficient_permissions"], ...create({ role: "admin" }));
    await refused(api, [400, "insufficient_permissions"], ...create({}, token));
    for (const [field, value] of Object.entries({
      email: "no address",
      password: "short",
      name: 1,
      account: {},
      role: "owner",
      status: "active",
      user_id: absentId("usr"),
    })) {
      expect(await refused(api, [400, "invalid_request"], ...create({ [field]: value }))).toContain(field);
    }
    await refused(api, [400, "invitation_not_found"], ...create({ invite_token: "x" }));
    // Joining an organization by name requires an invitation. The answer does not reveal which organizations exist.
    await refused(api, [400, "signup_closed"], ...create({ organization_id: absentId("org") }));
  });
});

test.describe("DELETE /v1/users/{user_id}", () => {
  test("200: the user and its sessions are removed; its e-mail address is free again", async ({
    described: api,
    adminToken: token,
  }) => {
    const person = await newMember(api);
    const removed = await answered(api, "DELETE", `/v1/users/${person.userId}`, { token });
    expectRecord(removed, recordFields.removedUser);
    expect(removed).toMatchObject({
      user_id: person.userId,
      removed: true,
      revoked_sessions: 1,
      revoked_tokens: 2,
      orphaned_account_ids: [person.accountId],
    });
    near(removed.removed_at, Date.now());
    await refused(api, [401, "unauthorized"], "GET", "/v1/transactions", { token: person.token });
    const account = await answered(api, "GET", `/v1/accounts/${person.accountId}`, { token });
    expect(account).toMatchObject({ status: "open", owner_user_id: null });
    await answered(api, "POST", "/v1/users", { body: { email: person.email, password: memberPassword } });
  });

  test("400: unknown, already removed, another user, the last admin", async ({ described: api, adminToken: token }) => {
    const [person, other] = [await newMember(api), await newMember(api)];
    const remove = (id: string, as: string) => ["DELETE", `/v1/users/${id}`, { token: as }] as const;
    await refused(api, [400, "user_not_found"], ...remove(absentId("usr"), token));
    await refused(api, [400, "user_not_found"], ...remove("someone", token));
    await refused(api, [400, "user_not_found"], ...remove(other.userId, person.token));
    await answered(api, ...remove(person.userId, person.token));
    await refused(api, [400, "user_not_found"], ...remove(person.userId, token));
    await refused(api, [401, "unauthorized"], "DELETE", `/v1/users/${other.userId}`);
  });
});

test.describe("POST /v1/payments", () => {
  const create = (token: string, body: Body) => ["POST", "/v1/payments", { token, body }] as const;

  test("200: a payment request with every field; absent ones are null", async ({ described: api }) => {
    const { token, accountId } = await newMember(api);
    const payment = await answered(api, ...create(token, { type: "product", amount: 1250, currency: "eur" }));
    expectRecord(payment, recordFields.payment);
    expect(payment).toMatchObject({
      payment_id: expect.stringMatching(idOf("pay")),
      account_id: accountId,
      type: "product",
      status: "pending",
      amount: 1250,
      currency: "EUR",
      description: null,
      reference: null,
      customer: null,
      subscription: null,
      locale: null,
      due_at: null,
      amount_paid: 0,
      amount_due: 1250,
      amount_refunded: 0,
      capture_method: "automatic",
      livemode: false,
      receipt_url: null,
      pdf_url: null,
      invoice_number: null,
      last_error: null,
      metadata: {},
      transaction_ids: [],
      paid_at: null,
      canceled_at: null,
      viewed_at: null,
      capture_before: null,
    });
    expect(String(payment.payment_url)).toMatch(/^http:\/\/.+\/pay\/\w{20,}/);
    expect(String(payment.payment_url)).not.toContain(String(payment.payment_id).slice(4));
    near(payment.expires_at, Date.now() + 30 * dayMs);
  });

  test("200: line items add up with tax rounded half up; a subscription; an invoice", async ({ described: api }) => {
    const { token } = await newMember(api);
    const line = { name: "Bread", quantity: 3, unit_amount: 335, tax_rate_bp: 1000, discount_amount: 5 };
    const customer = { name: "Grace", email: "grace@example.com", metadata: { tier: "gold" } };
    const body = {
      type: "invoice",
      currency: "EUR",
      line_items: [line],
      due_at: "2030-01-02T03:04:05+01:00",
      customer,
    };
    const invoice = await answered(api, ...create(token, body));
    // 3 * 335 - 5 = 1000, plus 10 % tax.
    expect(invoice).toMatchObject({ amount: 1100, expires_at: null, due_at: "2030-01-02T02:04:05.000Z" });
    expect(invoice.line_items).toEqual([line]);
    expectRecord(invoice.customer, recordFields.customer);
    expect(invoice.customer).toEqual({ ...customer, reference: null });
    const half = { name: "Half", quantity: 1, unit_amount: 5, tax_rate_bp: 1000 };
    const rounded = await answered(api, ...create(token, { type: "product", currency: "EUR", line_items: [half] }));
    expect(rounded.amount).toBe(6);
    expectRecord((rounded.line_items as unknown[])[0], recordFields.lineItem);
    const subscription = { interval: "month", interval_count: 3 };
    const request = { type: "subscription", amount: 900, currency: "JPY", subscription };
    expect(await answered(api, ...create(token, request))).toMatchObject({
      subscription: { interval: "month", interval_count: 3, trial_days: null, cycles: null },
    });
  });

  test("400: amounts, references, accounts and reserved fields", async ({ described: api }) => {
    const { token } = await newMember(api);
    const other = await newMember(api);
    const valid = { type: "product", amount: 100, currency: "EUR" };
    const refuse = (code: string, given: Body) => refused(api, [400, code], ...create(token, { ...valid, ...given }));
    const line = { name: "Bread", quantity: 1, unit_amount: 99 };
    await refuse("amount_mismatch", { line_items: [line] });
    await answered(api, ...create(token, { ...valid, reference: "A-1" }));
    await refuse("duplicate_reference", { reference: "A-1" });
    await refuse("account_not_found", { account_id: other.accountId });
    for (const [field, value] of Object.entries({
      send: true,
      draft: true,
      reminders: {},
      allow_partial: true,
      status: "paid",
      payment_id: absentId("pay"),
      amount: 0,
      currency: "XXQ",
      type: "gift",
      capture_method: "never",
      subscription: { interval: "day" },
      success_url: "http://example.com",
      metadata: { "a b": "1" },
      customer: { name: 5 },
      locale: "x",
      line_items: [{ ...line, quantity: 1.5 }],
      expires_at: "tomorrow",
      due_at: "2030-01-01",
    })) {
      expect(await refuse("invalid_request", { [field]: value })).toContain(field);
    }
    for (const amount of [1_000_000_000_000, -1, 1.5, "100", null]) {
      expect(await refuse("invalid_request", { amount })).toContain("amount");
    }
    expect(await refuse("invalid_request", { type: "subscription" })).toContain("subscription");
    await answered(api, ...create(token, { ...valid, amount: 999_999_999_999 }));
  });
});

test.describe("GET /v1/payments/{payment_id}/status", () => {
  test("200: every field, before and after a payment and a refund", async ({ described: api }) => {
    const person = await newMember(api);
    const { payment_id } = await requestPayment(api, person, 1250);
    const path = `/v1/payments/${payment_id}/status`;
    const pending = await answered(api, "GET", path, { token: person.token });
    expectRecord(pending, recordFields.paymentStatus);
    expect(pending).toMatchObject({
      payment_id,
      status: "pending",
      amount: 1250,
      currency: "EUR",
      amount_paid: 0,
      amount_due: 1250,
      dispute_status: "none",
      last_error: null,
      next_action: null,
      transaction_ids: [],
    });
    const { transaction_id } = await receive(api, person, 1250, { payment_id });
    const paid = await answered(api, "GET", path, { token: person.token });
    expect(paid).toMatchObject({ status: "paid", amount_paid: 1250, amount_due: 0, transaction_ids: [transaction_id] });
    await answered(api, "POST", "/v1/transactions", {
      token: person.token,
      body: { type: "refund", parent_transaction_id: transaction_id, amount: 250 },
    });
    const partly = await answered(api, "GET", path, { token: person.token });
    expect(partly).toMatchObject({ status: "partially_refunded", amount_refunded: 250 });
  });

  test("400 payment_not_found, the same for a malformed id", async ({ described: api }) => {
    const { token } = await newMember(api);
    for (const id of [absentId("pay"), "nothing", absentId("txn")]) {
      await refused(api, [400, "payment_not_found"], "GET", `/v1/payments/${id}/status`, { token });
    }
    await refused(api, [401, "unauthorized"], "GET", `/v1/payments/${absentId("pay")}/status`);
  });
});

test.describe("POST /v1/transactions", () => {
  const create = (token: string, body: Body) => ["POST", "/v1/transactions", { token, body }] as const;

  test("200: a payment with every field", async ({ described: api }) => {
    const { token, accountId } = await newMember(api);
    const payment = await answered(
      api,
      ...create(token, {
        type: "payment",
        amount: 1000,
        currency: "EUR",
        reference: "R-1",
        metadata: { order: "7" },
        effective_at: "2026-01-31T23:30:00-01:00",
      }),
    );
    expectRecord(payment, recordFields.transaction);
    expect(payment).toMatchObject({
      transaction_id: expect.stringMatching(idOf("txn")),
      account_id: accountId,
      type: "payment",
      status: "succeeded",
      direction: "in",
      amount: 1000,
      currency: "EUR",
      fee_amount: 0,
      net_amount: 1000,
      amount_captured: 1000,
      amount_refunded: 0,
      reference: "R-1",
      metadata: { order: "7" },
      effective_at: "2026-02-01T00:30:00.000Z",
      customer: null,
      parent_transaction_id: null,
      destination_account_id: null,
      failure: null,
      provider_reference: null,
    });
  });

  test("200: partial refunds until nothing remains to refund", async ({ described: api }) => {
    const person = await newMember(api);
    const customer = { name: "Grace", email: "grace@example.com" };
    const given = { customer, metadata: { order: "7" }, reference: "R-1" };
    const { transaction_id: parent_transaction_id } = await receive(api, person, 1000, given);
    const refund = (body: Body) => create(person.token, { type: "refund", parent_transaction_id, ...body });
    const first = await answered(api, ...refund({ amount: 400, currency: "eur", reason: "duplicate" }));
    expectRecord(first, recordFields.transaction);
    expect(first).toMatchObject({ type: "refund", direction: "out", amount: 400, parent_transaction_id });
    expect(first).toMatchObject({ customer, metadata: {}, reference: null, reason: "duplicate" });
    const parent = `/v1/transactions/${parent_transaction_id}`;
    expect(await answered(api, "GET", parent, { token: person.token })).toMatchObject({ status: "partially_refunded" });
    await refused(api, [400, "refund_exceeds_captured"], ...refund({ amount: 601 }));
    expect(await answered(api, ...refund({}))).toMatchObject({ amount: 600 });
    await refused(api, [400, "refund_exceeds_captured"], ...refund({}));
    const done = await answered(api, "GET", parent, { token: person.token });
    expect(done).toMatchObject({ status: "refunded", amount_refunded: 1000 });
  });

  test("200: a transfer is one row, incoming for one account and outgoing for the other", async ({
    described: api,
    adminToken,
  }) => {
    const [from, to] = [await newMember(api), await newMember(api)];
    await receive(api, from, 500);
    const body = { type: "transfer", destination_account_id: to.accountId, amount: 500, currency: "EUR" };
    const transfer = await answered<TransactionBody & Body>(api, ...create(from.token, body));
    expectRecord(transfer, recordFields.transaction);
    expect(transfer).toMatchObject({ account_id: from.accountId, direction: "out", status: "succeeded" });
    const seen = await answered(api, "GET", `/v1/transactions/${transfer.transaction_id}`, { token: to.token });
    expect(seen).toMatchObject({ direction: "in", amount: 500 });
    await refused(api, [400, "insufficient_balance"], ...create(from.token, { ...body, amount: 1 }));
    const account = await answered(api, "GET", `/v1/accounts/${to.accountId}`, { token: adminToken });
    expect(account.balances).toEqual([{ currency: "EUR", available: 500, pending: 0, held: 0 }]);
    expectRecord((account.balances as unknown[])[0], recordFields.balance);
  });

  test("200: credits and adjustments, by admins only", async ({ described: api, adminToken }) => {
    const { accountId: account_id, token } = await newMember(api);
    const credit = { type: "credit", account_id, amount: 300, currency: "EUR" };
    const adjust = { ...credit, type: "adjustment", direction: "out", reason: "correction", amount: 100 };
    expect(await answered(api, ...create(adminToken, credit))).toMatchObject({ type: "credit", direction: "in" });
    const adjusted = await answered(api, ...create(adminToken, adjust));
    expect(adjusted).toMatchObject({ direction: "out", reason: "correction", net_amount: -100 });
    await refused(api, [400, "insufficient_permissions"], ...create(token, credit));
    await refused(api, [400, "insufficient_permissions"], ...create(token, adjust));
    const account = await answered(api, "GET", `/v1/accounts/${account_id}`, { token });
    expect(account.balances).toEqual([{ currency: "EUR", available: 200, pending: 0, held: 0 }]);
  });

  test("400: balances, accounts, references, fields of another transaction type", async ({ described: api }) => {
    const [person, other] = [await newMember(api), await newMember(api)];
    const { transaction_id } = await receive(api, person, 100, { reference: "once" });
    const refuse = (code: string, body: Body) => refused(api, [400, code], ...create(person.token, body));
    const money = { amount: 10, currency: "EUR" };
    const to = (destination_account_id: string) => ({ type: "transfer", ...money, destination_account_id });
    await refuse("duplicate_reference", { type: "payment", ...money, reference: "once" });
    await refuse("same_account_transfer", to(person.accountId));
    await refuse("account_not_found", to(absentId("acct")));
    await refuse("account_not_found", { type: "payment", ...money, account_id: other.accountId });
    await refuse("insufficient_balance", { ...to(other.accountId), currency: "USD" });
    await refuse("transaction_not_found", { type: "refund", parent_transaction_id: absentId("txn") });
    await refuse("currency_mismatch", { type: "refund", parent_transaction_id: transaction_id, currency: "USD" });
    await refuse("payment_not_found", { type: "payment", ...money, payment_id: absentId("pay") });
    const payment = { type: "payment", ...money };
    for (const [field, value] of Object.entries({
      destination_account_id: other.accountId,
      parent_transaction_id: transaction_id,
      direction: "in",
      status: "succeeded",
      fee_amount: 0,
      amount: 0,
      currency: "EURO",
      effective_at: "yesterday",
      metadata: { k: 1 },
      reference: "",
      description: "x".repeat(281),
    })) {
      expect(await refuse("invalid_request", { ...payment, [field]: value })).toContain(field);
    }
    await answered(api, "DELETE", "/v1/auth/close", { token: other.token });
    await refuse("account_closed", to(other.accountId));
  });

  test("400 insufficient_balance: a refund above the account's balance", async ({ described: api }) => {
    const [person, other] = [await newMember(api), await newMember(api)];
    const { transaction_id } = await receive(api, person, 100);
    const away = { type: "transfer", destination_account_id: other.accountId, amount: 60, currency: "EUR" };
    await answered(api, ...create(person.token, away));
    const refund = { type: "refund", parent_transaction_id: transaction_id };
    await refused(api, [400, "insufficient_balance"], ...create(person.token, refund));
    expect(await answered(api, ...create(person.token, { ...refund, amount: 40 }))).toMatchObject({ amount: 40 });
  });
});

test.describe("GET /v1/transactions", () => {
  test("200: pages skip no rows while rows are added", async ({ described: api }) => {
    const person = await newMember(api);
    const ids: string[] = [];
    for (const amount of [1, 2, 3, 4, 5]) ids.unshift((await receive(api, person, amount)).transaction_id);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? "" : `&cursor=${cursor}`;
      const page: { data: TransactionBody[]; next_cursor: string | null; has_more: boolean } = await answered(
        api,
        ...(["GET", `/v1/transactions?limit=2${query}`, { token: person.token }] as const),
      );
      expectRecord(page, recordFields.page);
      for (const row of page.data) expectRecord(row, recordFields.transaction);
      expect(page.has_more).toBe(page.next_cursor !== null);
      seen.push(...page.data.map((row) => row.transaction_id));
      cursor = page.next_cursor;
      await receive(api, person, 9);
    } while (cursor !== null);
    // Rows of the same millisecond may come in any order.
    expect(seen.sort()).toEqual(ids.sort());
  });

  test("200: every filter", async ({ described: api }) => {
    const person = await newMember(api);
    const { payment_id } = await requestPayment(api, person, 700);
    const customer = { name: "Grace Hopper", email: "Grace@Example.com", reference: "C-9", metadata: { tier: "gold" } };
    const given = { payment_id, customer, reference: "R-77", description: "Blue bicycle", metadata: { order: "7" } };
    const { transaction_id: id } = await receive(api, person, 700, given);
    const other = await receive(api, person, 50, { currency: "USD" });
    const refund = await api<TransactionBody>("POST", "/v1/transactions", {
      token: person.token,
      body: { type: "refund", parent_transaction_id: other.transaction_id },
    });
    const refundId = refund.body.transaction_id;
    const day = new Date(Date.now() + dayMs).toISOString().slice(0, 10);
    for (const [query, expected] of [
      ["", [refundId, other.transaction_id, id]],
      [`account_id=${person.accountId}&limit=100`, [refundId, other.transaction_id, id]],
      ["status=refunded", [other.transaction_id]],
      ["status=succeeded&type=payment", [id]],
      ["type=refund,payment", [refundId, other.transaction_id, id]],
      ["metadata[order]=7", [id]],
      ["metadata%5Border%5D=8", []],
      ["customer_metadata[tier]=gold", [id]],
      ["customer_email=grace%40example.com", [id]],
      ["customer_reference=C-9", [id]],
      [`payment_id=${payment_id}`, [id]],
      [`parent_transaction_id=${other.transaction_id}`, [refundId]],
      ["currency=usd", [refundId, other.transaction_id]],
      ["amount_min=700&amount_max=700", [id]],
      ["reference=R-77", [id]],
      ["q=bicy+hopp", [id]],
      ["q=icycle", []],
      [`q=${id}`, [id]],
      [`created_from=${day}`, []],
      [`created_to=${day}&reference=R-77`, [id]],
      ["created_to=2020-01-01T00:00:00%2B02:00", []],
    ] as const) {
      const page = await answered<{ data: TransactionBody[] }>(
        api,
        ...(["GET", `/v1/transactions?${query}`, { token: person.token }] as const),
      );
      expect(
        page.data.map((row) => row.transaction_id),
        query,
      ).toEqual(expected);
    }
  });

  test("400 invalid_request, invalid_cursor", async ({ described: api }) => {
    const person = await newMember(api);
    for (const _ of [1, 2]) await receive(api, person, 1);
    const list = (query: string) => ["GET", `/v1/transactions?${query}`, { token: person.token }] as const;
    for (const query of [
      "odd=1",
      "status=odd",
      "type=",
      "created_from=x",
      "amount_min=1.5",
      "metadata=x",
      "currency=EURO",
    ]) {
      await refused(api, [400, "invalid_request"], ...list(query));
    }
    const page = await answered<{ next_cursor: string }>(api, ...list("limit=1"));
    await refused(api, [400, "invalid_cursor"], ...list(`limit=1&type=payment&cursor=${page.next_cursor}`));
    await answered(api, ...list(`limit=2&cursor=${page.next_cursor}`));
    await refused(api, [400, "invalid_cursor"], ...list(`cursor=${page.next_cursor.slice(0, -2)}`));
    await refused(api, [401, "unauthorized"], "GET", "/v1/transactions");
  });
});

test.describe("GET /v1/transactions/{transaction_id}", () => {
  test("200: the same record as in the response to its creation", async ({ described: api, adminToken }) => {
    const person = await newMember(api);
    const made = await receive(api, person, 100, { reference: unique() });
    const path = `/v1/transactions/${made.transaction_id}`;
    expect(await answered(api, "GET", path, { token: person.token })).toEqual(made);
    expect(await answered(api, "GET", path, { token: adminToken })).toEqual(made);
  });

  test("400 transaction_not_found: unknown, malformed, another member's", async ({ described: api }) => {
    const [person, other] = [await newMember(api), await newMember(api)];
    const { transaction_id } = await receive(api, other, 100);
    for (const id of [absentId("txn"), "txn_UPPER", "1", transaction_id]) {
      await refused(api, [400, "transaction_not_found"], "GET", `/v1/transactions/${id}`, { token: person.token });
    }
  });
});
