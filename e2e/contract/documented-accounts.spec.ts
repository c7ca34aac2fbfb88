// The core operations of accounts and users as an API client uses them: every field, every documented code.
import { expect } from "playwright/test";
import { signIn } from "../api";
import { test } from "./described";
import { answered, type Body, near, refused } from "./documented";
import { memberPassword, newEmail, newMember, requestPayment } from "./people";
import { absentId, expectRecord, idOf, instantPattern, recordFields } from "./records";

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
